import { convertTimezone } from './convert-timezone.js'
import { getCurrentTime } from './get-current-time.js'
import { getTimeRange } from './get-time-range.js'
import { pomodoro } from './pomodoro.js'

export const timeTools = [getCurrentTime, getTimeRange, convertTimezone, pomodoro]
