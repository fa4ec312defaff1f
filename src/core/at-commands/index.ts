export { type AtCommands, readAtCommands } from './read-at-commands.js'
