export {
  addUnits,
  type Day,
  type DayRange,
  dayOf,
  isoDate,
  isoWeek,
  partsOf,
  type Unit,
  unitAround,
  weekdayOf,
} from './calendar.js'
export { fillTemplate, formatMoment, moveToDay, parseDay, type WallTime, wallTime } from './moment-format.js'
export {
  dayAt,
  instantsOf,
  isoTime,
  readableTime,
  startOfDay,
  type TimeZone,
  timeZone,
  weekdayName,
} from './time-zone.js'
