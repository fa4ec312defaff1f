export { confirm, pressKey } from './confirm.js'

export { type Paint, type Style, style } from './style.js'
export { type Streams, type Terminal, type TerminalOptions, terminal } from './terminal.js'
export { cutPath, cutToWidth, padToWidth, textWidth, wrapToWidth } from './text-width.js'
export { jsonLine, visibleLine, visibleText } from './visible-text.js'
export { wrapPainted } from './wrap-painted.js'
