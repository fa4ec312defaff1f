export { bytes, count, duration, moment } from '../../../core/text/index.js'
