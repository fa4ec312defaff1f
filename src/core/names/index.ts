export { nearestName, nearestNames } from './nearest-name.js'
