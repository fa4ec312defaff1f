export { readAtCommands } from './read-at-commands.js'
