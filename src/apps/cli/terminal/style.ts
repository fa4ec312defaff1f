export type Paint = (text: string) => string

/** The few ways text is set apart. Without colour every paint is the identity. */
export interface Style {
  strong: Paint
  emphasis: Paint
  faint: Paint
  good: Paint
  warning: Paint
  bad: Paint
  match: Paint
  path: Paint
  added: Paint
  removed: Paint
  /** Words that differ, inside a line already painted. */
  changed: Paint
}

export function style(hasColor: boolean): Style {
  const paint = (open: number, close: number): Paint =>
    hasColor ? (text) => (text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`) : (text) => text
  return {
    strong: paint(1, 22),
    emphasis: paint(3, 23),
    faint: paint(2, 22),
    good: paint(32, 39),
    warning: paint(33, 39),
    bad: paint(31, 39),
    match: paint(33, 39),
    path: paint(36, 39),
    added: paint(32, 39),
    removed: paint(31, 39),
    changed: paint(7, 27),
  }
}
