/**
 * Where the first answer in a text of HTTP/1 ends: undefined if it is incomplete, or ends with its connection. The status is that of
 * the first status line, which an interim answer (1xx) has too.
 * @returns undefined if the text does not begin with a status line
 */
export function answerEnd(
  text: string,
  method: string,
): { readonly status: number; readonly end: number | undefined } | undefined {
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(text)?.[1] ?? Number.NaN);
  if (Number.isNaN(status)) return undefined;
  const body = after(text, '\r\n\r\n', 0);
  if (body === undefined) return { status, end: undefined };
  if (status < 200) {
    const final = answerEnd(text.slice(body), method)?.end;
    return { status, end: final === undefined ? undefined : body + final };
  }
  const head = text.slice(0, body);
  if (method === 'HEAD' || status === 204 || status === 304) return { status, end: body };
  if (/^transfer-encoding:.*\bchunked\s*$/im.test(head)) return { status, end: chunksEnd(text, body) };
  const end = body + Number(/^content-length: *(\d+)\s*$/im.exec(head)?.[1] ?? Number.NaN);
  return { status, end: end <= text.length ? end : undefined };
}

function chunksEnd(text: string, start: number): number | undefined {
  for (let at = start; ; ) {
    const data = after(text, '\r\n', at);
    if (data === undefined) return undefined;
    const size = Number.parseInt(text.slice(at, data), 16);
    // The trailers, of which there may be none, end with an empty line.
    if (size === 0) return after(text, '\r\n\r\n', data - 2);
    at = data + size + 2;
    if (!(at <= text.length)) return undefined;
  }
}

function after(text: string, mark: string, from: number): number | undefined {
  const at = text.indexOf(mark, from);
  return at < 0 ? undefined : at + mark.length;
}
