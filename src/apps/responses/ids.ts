import { randomUUID } from 'node:crypto'

type Prefix = 'resp' | 'msg' | 'fc' | 'fco' | 'rs' | 'cmp' | 'step' | 'call' | 'chatcmpl'

export const newId = (prefix: Prefix): string => `${prefix}_${randomUUID().replaceAll('-', '')}`

/** A call's id as clients hand it back: the model's own where it can be one. */
export function callIdOf(given: string): string {
  return /^[\w.:-]{1,64}$/.test(given) ? given : newId('call')
}
