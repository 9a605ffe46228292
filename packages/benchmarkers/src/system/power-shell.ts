/** The command that executes a script of the PowerShell that each Windows has. Base64 needs no quotes. */
export function powerShell(script: string): readonly string[] {
  const encoded = Buffer.from(script, 'utf16le').toString('base64');
  return ['powershell.exe', '-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded];
}
