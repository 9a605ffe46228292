/** Operations of packages that many projects use, by name. Each function loads its package, and returns one operation. */

export const operations = {
  'semver.satisfies': async () => {
    const semver = await load('semver');
    const versions = ['1.2.3', '2.0.0-rc.1', '3.4.5', '10.11.12'];
    return () => versions.map((version) => semver.satisfies(version, '^1.2.0 || >=3.0.0 <4.0.0 || ~10.11'));
  },
  'yaml.parse': async () => {
    const yaml = await load('yaml');
    const document = Array.from(
      { length: 1 },
      (_, at) =>
        `entry${at}:\n  name: "item ${at}"\n  list: [1, 2, ${at}]\n  nested: { yes: true, no: null }\n`,
    ).join('');
    return () => yaml.parse(document);
  },
  'qs.parse': async () => {
    const qs = await load('qs');
    const query =
      'a[b][c]=1&a[b][d]=2&list[]=x&list[]=y&list[]=z&name=J%C3%BCrgen+M&page=3&filter[status]=open';
    return () => qs.parse(query);
  },
  'fast-deep-equal': async () => {
    const equal = await load('fast-deep-equal');
    const make = () => ({
      id: 1,
      tags: ['a', 'b', 'c'],
      nested: { x: 1, y: [1, 2, { z: 3 }] },
      at: new Date(0),
    });
    const [a, b] = [make(), make()];
    return () => equal(a, b);
  },
  ms: async () => {
    const ms = await load('ms');
    const texts = ['2 days', '1d', '10h', '2.5 hrs', '1m', '5s', '1y', '100'];
    return () => texts.map((each) => ms(each));
  },
  picocolors: async () => {
    const colors = (await load('picocolors')).createColors(true);
    return () => colors.bold(colors.red(`a ${colors.green('b')} c`));
  },
  'lodash.merge': async () => {
    const merge = await load('lodash.merge');
    return () =>
      merge({ a: { b: 1, c: [1, 2] } }, { a: { d: 2, c: [3] }, e: { f: { g: 1 } } }, { a: { b: 3 } });
  },
  'uuid.v4': async () => {
    const { v4 } = await load('uuid');
    return () => v4();
  },
  'ajv.validate': async () => {
    const loaded = await load('ajv');
    const Ajv = loaded.Ajv ?? loaded.default ?? loaded;
    const validate = new Ajv().compile({
      type: 'object',
      required: ['id', 'name', 'items'],
      properties: {
        id: { type: 'integer' },
        name: { type: 'string', pattern: '^[a-z ]+$', maxLength: 40 },
        items: {
          type: 'array',
          items: { type: 'object', properties: { n: { type: 'number', minimum: 0 } } },
        },
      },
    });
    const value = { id: 7, name: 'some name', items: [{ n: 1 }, { n: 2.5 }, { n: 3 }] };
    return () => validate(value);
  },
  'marked.parse': async () => {
    const { marked } = await load('marked');
    const markdown = '# Title\n\nSome *text* with `code` and a [link](https://example.org).\n\n';
    return () => marked.parse(markdown);
  },
  'fast-json-stringify': async () => {
    const build = await load('fast-json-stringify');
    const write = build({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    });
    const value = { id: 7, name: 'some "name"', tags: ['a', 'b', 'c'] };
    return () => write(value);
  },
  'date-fns.format': async () => {
    const { format } = await load('date-fns');
    const date = new Date(1_700_000_000_000);
    return () => format(date, "yyyy-MM-dd'T'HH:mm:ss EEEE");
  },
};

async function load(name) {
  const { default: main, 'module.exports': exported, ...named } = await import(name);
  return exported ?? (Object.keys(named).length === 0 ? main : named);
}
