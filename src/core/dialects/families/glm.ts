import { defineDialect } from '../dialect.js'
import { readKeyedCall } from '../parameters.js'

/** `<tool_call>NAME<arg_key>K</arg_key><arg_value>V</arg_value></tool_call>`, with or without line breaks between. */
export const glm = defineDialect({
  names: ['glm45', 'glm47'],
  markers: [{ text: '<tool_call', tag: true }],
  read: (block) => readKeyedCall(block, ''),
})
