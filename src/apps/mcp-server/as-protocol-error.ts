import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { Failure } from '../../core/errors.js'

/** What a client hears when a request fails that is no call of a tool. The words of a bug are for the person alone. */
export function asProtocolError(error: unknown, onTrouble: (text: string) => void = () => {}): Error {
  if (error instanceof ProtocolError) return error
  if (error instanceof Failure) {
    const { code, message, details } = error
    const text = [message, details.hint].filter(Boolean).join(' ')
    return new ProtocolError(ProtocolErrorCode.InvalidRequest, text, {
      code,
      ...(details.hint && { hint: details.hint }),
    })
  }
  if ((error as Error)?.name === 'AbortError') return error as Error
  onTrouble(`${(error as Error)?.stack ?? error}`)
  return new ProtocolError(ProtocolErrorCode.InternalError, 'This failed unexpectedly.')
}
