import {
  type ClientComparison,
  renderBarChart,
  renderClientCsv,
  renderClientJson,
  renderClientMarkdown,
  renderClientText,
  type TableOptions,
} from '@bench-cli/cluster-server';

export type ClientFormat = 'table' | 'markdown' | 'csv' | 'json';

export interface ClientOutputOptions extends TableOptions {
  readonly chart?: boolean;
}

/** A comparison of clients as it is printed. */
export function clientOutput(
  comparison: ClientComparison,
  format: ClientFormat,
  { chart = false, ...options }: ClientOutputOptions,
): string {
  switch (format) {
    case 'csv':
      return renderClientCsv(comparison);
    case 'json':
      return renderClientJson(comparison);
    case 'markdown': {
      const bars = chart ? `\n\`\`\`\n${renderBarChart(comparison)}\`\`\`\n` : '';
      return `${renderClientMarkdown(comparison, options)}${bars}`;
    }
    case 'table':
      return `${renderClientText(comparison, options)}${chart ? `\n${renderBarChart(comparison)}` : ''}`;
  }
}
