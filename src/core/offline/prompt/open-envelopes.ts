export interface Material {
  label: string
  text: string
}

export interface Opened {
  /** What the person typed. */
  text: string
  currentNote?: string
  materials: Material[]
}

/**
 * Takes a request apart: the open note, enclosed material, and at the end the person's own words. Whatever stands
 * inside an envelope is material, also when it looks like a request or like the end of the envelope.
 */
export function openEnvelopes(message: string): Opened {
  const materials: Material[] = []
  let rest = message
  let currentNote: string | undefined
  const open = /^The open note is ("(?:[^"\\\n]|\\.)*")\.(?:\n\n|$)/.exec(rest)
  if (open !== null) {
    currentNote = parsedText(open[1])
    rest = rest.slice(open[0].length)
  }
  for (;;) {
    const start = /^<<([0-9a-f]{8}) ([^\n]*)\n/.exec(rest)
    if (start === null) return { text: rest.trim(), ...(currentNote !== undefined && { currentNote }), materials }
    const [head, mark, label] = start
    const body = rest.slice(head.length)
    const end = body.startsWith(`${mark}>>`) ? 0 : body.indexOf(`\n${mark}>>`)
    // Never closed: all of it is material, and nobody has asked for anything.
    materials.push({ label, text: end === -1 ? body : body.slice(0, end) })
    rest = end === -1 ? '' : body.slice(end).replace(`${mark}>>`, '').replace(/^\n+/, '')
  }
}

function parsedText(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}
