export { answerOf, type Database, openDatabase, type Stores } from './open-database.js'
