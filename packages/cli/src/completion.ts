import type { Command } from 'commander';
import { SettingOption } from './commands/command-definition.ts';

/**
 * The scripts of shells. Each calls `bench-cli complete` with the words so far, and completes files if it answers nothing. The words
 * are passed on as they are, so that no text that is being typed is executed.
 */
export const completionScripts = new Map([
  [
    'bash',
    `_bench_cli() {
  COMPREPLY=()
  local line
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(bench-cli complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _bench_cli bench-cli
`,
  ],
  [
    'zsh',
    `#compdef bench-cli
_bench_cli() {
  local -a offers
  offers=("\${(@f)$(bench-cli complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  offers=("\${(@)\${(@)offers//:/\\\\:}/$'\\t'/:}")
  if [[ -n "\${offers[1]}" ]]; then _describe bench-cli offers; else _files; fi
}
if [[ "\${funcstack[1]}" = _bench_cli ]]; then _bench_cli "$@"; else compdef _bench_cli bench-cli; fi
`,
  ],
  [
    'fish',
    `function __bench_cli
  set -l words (commandline -opc) (commandline -ct)
  set -l offers (bench-cli complete -- $words[2..-1] 2>/dev/null)
  if test -n "$offers"
    printf '%s\\n' $offers
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c bench-cli -f -a '(__bench_cli)'
`,
  ],
]);

/**
 * What a shell can offer in place of the last word, one line each with a description after a tab. Nothing where files are expected.
 * @param words those after the program
 */
export function completions(program: Command, words: readonly string[]): string {
  const [typed = '', previous = ''] = words.toReversed();
  const command = words
    .slice(0, -1)
    .reduce((within, word) => within.commands.find((each) => each.name() === word) ?? within, program);
  const option = command.options.find((each) => each.required && each.long === previous);
  const values = option instanceof SettingOption ? option.values : [];
  const offers = option === undefined ? namesOf(command, typed) : values;
  return offers
    .filter((line) => line.startsWith(typed))
    .map((line) => `${line}\n`)
    .join('');
}

function namesOf(command: Command, typed: string): readonly string[] {
  if (typed.startsWith('-')) return command.options.map(({ long, description }) => `${long}\t${description}`);
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => `${each.name()}\t${each.summary()}`);
}
