import { mapsIn } from '@bench-cli/agent';
import type { Failure } from '@bench-cli/results/recording';

/** Returns a function that gives positions in transformed files as those of their sources. */
export function sourcePlaces(directory: string): (failure: Failure) => Failure {
  return (failure) => {
    const maps = mapsIn(directory);
    if (maps.size === 0) return failure;
    const original = (text: string) =>
      text.replace(
        /((?:file:\/\/)?(\/[^\s()'"]+?\.(?:[cm]?ts|[jt]sx))):(\d+):(\d+)/g,
        (whole, shown, path, line, column) => {
          const found = maps.get(path)?.findOrigin(Number(line), Number(column));
          return found !== undefined && 'lineNumber' in found
            ? `${shown}:${found.lineNumber}:${found.columnNumber}`
            : whole;
        },
      );
    const { place, message, output } = failure;
    return {
      ...failure,
      message: original(message),
      output: original(output),
      ...(place && { place: original(place) }),
    };
  };
}
