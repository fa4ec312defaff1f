export { sqliteSessions } from './sqlite-sessions.js'
