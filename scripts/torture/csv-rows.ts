/** A row of a CSV by the names of its columns. */
type Row = Readonly<Record<string, string>>;

/** A field in quotes or not, with blanks around it, and what follows it. */
const field = /[ \t\r]*(?:"((?:[^"]|"")*)"|([^",\n]*))[ \t\r]*(,|\n|$)/y;

/** Reads the rows of a CSV that are whole, by one expression: as slow as it is simple. */
export function csvRows(text: string): readonly Row[] {
  const [header = [], ...rows] = recordsOf(text.replace(/^\uFEFF/, ''));
  return rows
    .filter((row) => row.length === header.length)
    .map((row) => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])));
}

function recordsOf(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  for (let at = 0; at < text.length; ) {
    field.lastIndex = at;
    const [whole, quoted, plain = '', end] = field.exec(text) ?? [];
    if (whole === undefined) {
      // The rest of a line that is no CSV.
      record = [];
      const next = text.indexOf('\n', at);
      at = next < 0 ? text.length : next + 1;
      continue;
    }
    record.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    at += whole.length;
    if (end === ',' && at < text.length) continue;
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}
