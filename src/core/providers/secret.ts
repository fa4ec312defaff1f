/** A key that cannot slip into a log: it shows itself only to who asks for it by name. */
export interface Secret {
  reveal(): string
}

export function secret(value: string): Secret {
  const hidden = {
    reveal: () => value,
    toString: () => shown,
    toJSON: () => shown,
    [Symbol.toPrimitive]: () => shown,
    [Symbol.for('nodejs.util.inspect.custom')]: () => shown,
  }
  return Object.freeze(hidden)
}

const shown = '[secret]'
