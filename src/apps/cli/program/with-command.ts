/** What to do, with what to type for it: a hint of the core is true everywhere and so names no command itself. */
export function withCommand(advice: string, command: string | undefined): string {
  if (command === undefined) return advice
  return advice.endsWith('.') ? `${advice.slice(0, -1)}: ${command}` : `${advice} (${command})`
}
