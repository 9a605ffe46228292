import { offeredItems } from '@bench-cli/runner';
import { refsOf } from '@bench-cli/subjects';
import type { Command, Option } from 'commander';
import { SettingOption } from './commands/command-definition.ts';

/**
 * The scripts of shells. Each calls `bench-cli complete` with the words so far, and completes files without
 * an answer. The words are passed on as they are, so that no typed text is executed.
 */
export const completionScripts = new Map(
  Object.entries({
    bash: `_bench_cli() {
  COMPREPLY=()
  local line word at=-1 words=() text=\${COMP_LINE:0:COMP_POINT}
  # COMP_WORDBREAKS divides words at : and =. What a space precedes begins a word.
  for word in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ $at -lt 0 || $text = [[:space:]]* ]]; then words[++at]=; fi
    text=\${text#"\${text%%[![:space:]]*}"}
    [[ $text = "$word"* ]] || word=$text
    words[at]+=$word
    text=\${text#"$word"}
  done
  words[at]=\${words[at]#[\\"\\']}
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    [[ $line != *[:@=,/] ]] || compopt -o nospace 2>/dev/null
    # Only what follows the last break is replaced.
    COMPREPLY+=("\${line#"\${words[at]%"$2"}"}")
  done < <(bench-cli complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _bench_cli bench-cli
`,
    zsh: `#compdef bench-cli
_bench_cli() {
  local -a offers begun
  offers=("\${(@f)$(bench-cli complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  offers=("\${(@)\${(@)offers//:/\\\\:}/$'\\t'/:}")
  if [[ -z "\${offers[1]}" ]]; then compset -P '--*='; _files; return; fi
  begun=("\${(@M)offers:#*[:@=,/]}")
  offers=("\${(@)offers:#*[:@=,/]}")
  _describe bench-cli offers -- begun -S ''
}
if [[ "\${funcstack[1]}" = _bench_cli ]]; then _bench_cli "$@"; else compdef _bench_cli bench-cli; fi
`,
    fish: `function __bench_cli
  set -l words (commandline -opc) (commandline -ct)
  set -l offers (bench-cli complete -- $words[2..-1] 2>/dev/null)
  if test -n "$offers"
    printf '%s\\n' $offers
  else
    set -l option (string match -r '^(?:--[^=]*=)?' -- $words[-1])
    printf '%s\\n' $option(__fish_complete_path (string replace -r '^--[^=]*=' '' -- $words[-1]))
  end
end
complete -c bench-cli -f -a '(__bench_cli)'
`,
  }),
);

/** What a shell can offer for the last word, a line each with a description after a tab; no files. */
export async function completions(program: Command, words: readonly string[], cwd: string): Promise<string> {
  const [typed = '', previous = ''] = words.toReversed();
  const command = words
    .slice(0, -1)
    .reduce((within, word) => within.commands.find((each) => each.name() === word) ?? within, program);
  const [, joined, value = typed] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? [];
  const option = command.options.find((each) => each.required && each.long === (joined ?? previous));
  const offers = option === undefined ? namesOf(command, words, cwd) : await valuesOf(option, value, cwd);
  const start = option === undefined || joined === undefined ? '' : `${joined}=`;
  return offers
    .map((offer) => `${start}${offer}\n`)
    .filter((line) => line.startsWith(typed) && isPlain.test(line))
    .join('');
}

/** A text that a shell takes as it is: names of branches and files can have all characters. */
const isPlain = /^[\p{L}\p{N}\w./@+:=,%-]+[\t\n]/u;

function namesOf(command: Command, words: readonly string[], cwd: string): readonly string[] {
  const typed = words.at(-1) ?? '';
  if (typed.startsWith('-')) return command.options.map(({ long, description }) => `${long}\t${description}`);
  const takesItems = command.options.some((option) => option.attributeName() === 'suite');
  const [, suite] = /(?:^|\n)--suite[=\n](.*)\n/.exec(words.join('\n')) ?? [];
  if (takesItems) return offeredItems(typed, suite, cwd);
  const commands = command.createHelp().visibleCommands(command);
  return commands.map((each) => `${each.name()}\t${each.summary()}`);
}

/** Milliseconds until git must have told the branches: the shell waits. */
const PATIENCE_MS = 5000;

/** The values of an option, or the parts of a subject up to the one that is being typed. */
async function valuesOf(option: Option, typed: string, cwd: string): Promise<readonly string[]> {
  if (!option.flags.endsWith('<subject>')) return option instanceof SettingOption ? option.values : [];
  const [before = ''] = /^(?:.*,|(?!(?:flags|env|cwd)=)\w[\w .-]*=)?/s.exec(typed) ?? [];
  const parts = typed.startsWith(`${before}git:`)
    ? (await refsOf(cwd, AbortSignal.timeout(PATIENCE_MS)).catch(() => [])).map((ref) => `git:${ref}`)
    : ['git:', 'npm:', 'node@', 'bun@', 'deno@', ...(before.endsWith(',') ? ['flags=', 'env=', 'cwd='] : [])];
  return parts.map((part) => `${before}${part}`);
}
