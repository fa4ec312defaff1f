export { askLine, confirm } from './confirm.js'

export { type Paint, type Style, style } from './style.js'
export { type Streams, type Terminal, type TerminalOptions, terminal } from './terminal.js'
export { cutToWidth, padToWidth, textWidth, wrapToWidth } from './text-width.js'
export { jsonLine, visibleLine, visibleText } from './visible-text.js'
