export { freshKeyboard } from './fresh-keyboard.js'
export { type Key, type Keyboard, keyboard } from './keyboard.js'
export { type OneKey, oneKey } from './one-key.js'
export { typedAhead } from './typed-ahead.js'
