import { defineDialect } from '../dialect.js'
import { readKeyedCall, readNameUntil } from '../parameters.js'

/**
 * `<tool_calls>` around calls of the form `<tool_call>NAME<tool_sep><arg_key>K</arg_key><arg_value>V</arg_value></tool_call>`.
 * The tags of a released model end in a suffix: `<tool_calls:opensource>`.
 */
export const hunyuan = defineDialect({
  names: ['hunyuan_v3'],
  markers: [{ text: '<tool_calls', tag: true }, { text: '<tool_calls:' }, { text: '<tool_call:' }],

  *read(block, marker) {
    const { source } = block
    const label = marker.tag ? undefined : yield* readNameUntil(block, '>')
    if (!marker.tag && !/^\w{1,40}$/.test(label ?? '')) return false
    const suffix = label === undefined ? '' : `:${label}`
    const opener = `<tool_call${suffix}>`
    const closer = `</tool_calls${suffix}>`
    if (marker.text === '<tool_call:') return yield* readKeyedCall(block, suffix)
    yield* source.skipSpace()
    if (!(yield* source.take(opener)) || !(yield* readKeyedCall(block, suffix, [closer]))) return false
    for (;;) {
      const mark = source.mark()
      yield* source.skipSpace()
      const isNext = (yield* source.take(opener)) && (yield* readKeyedCall(block, suffix, [closer]))
      if (isNext) {
        source.release()
        continue
      }
      source.rewind(mark)
      break
    }
    const mark = source.mark()
    yield* source.skipSpace()
    if (yield* source.take(closer, true)) source.release()
    else source.rewind(mark)
    return true
  },
})
