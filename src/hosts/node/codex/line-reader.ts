import { StringDecoder } from 'node:string_decoder'

/** Longer than any line a model's reply makes; an image in a result is the longest. */
const longestLine = 64 * 1024 * 1024

/** Cuts bytes into lines at `\n` alone: JSON may hold U+2028, where Node's own reader would cut too. */
export function lineReader(onLine: (line: string) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return (bytes) => {
    const lines = (rest + decoder.write(bytes)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestLine) throw new Error(`A line of more than ${longestLine} characters.`)
    for (const line of lines) if (line.trim() !== '') onLine(line)
  }
}
