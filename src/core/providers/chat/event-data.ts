/** Finds the data of server-sent events in a text, however it is cut. */
export interface EventData {
  read(text: string): string[]
}

export function eventData(): EventData {
  let rest = ''
  let lines: string[] = []
  return {
    read(text) {
      const found: string[] = []
      const all = (rest + text).split('\n')
      rest = all.pop() ?? ''
      for (const one of all) {
        const line = one.endsWith('\r') ? one.slice(0, -1) : one
        if (line.startsWith('data:')) lines.push(line.slice(line[5] === ' ' ? 6 : 5))
        else if (line === '' && lines.length > 0) {
          found.push(lines.join('\n'))
          lines = []
        }
      }
      return found
    },
  }
}
