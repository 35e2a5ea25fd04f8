import {
  addDays,
  bahrainDate,
  formatClock,
  formatDay,
  formatTime,
  startOfBahrainDay,
  weekdayOf,
} from '@qatra/contract/calendar/calendar'
import { sinceMidnight } from '@qatra/contract/lib/clock'
import { inLang, type Lang } from '@qatra/contract/lib/lang'
import { type InboxSettings, inboxSettingsIn } from '@qatra/contract/whatsapp/inbox/settings'
import { translatorFor } from '../lib/translate.ts'

const DAY_MS = 24 * 3_600_000
/** Long holidays. */
const MOST_DAYS = 30

/** By weekday, from Sunday: HH:MM in Bahrain; closing at or before the opening time means after midnight. */
export type OfficeHours = InboxSettings['hours']
type HoursOfDay = NonNullable<OfficeHours[number]>
type Holidays = ReadonlyMap<string, { name: string; nameAr: string }>

export interface OfficeState {
  /** Of today, while the office is open. */
  hours: HoursOfDay | null
  /** Since when it is open; null if it is closed. */
  since: Date | null
  /** The next opening; null if it is open. */
  opens: Date | null
}

/** Whether the office answers at `at`. It is closed on public holidays. */
export function officeStateAt(week: OfficeHours, holidays: Pick<Holidays, 'has'>, at: Date): OfficeState {
  const yesterday = addDays(bahrainDate(at), -1)
  for (let n = 0; n < MOST_DAYS; n += 1) {
    const day = addDays(yesterday, n)
    const hours = week[weekdayOf(day)] ?? null
    if (hours === null || holidays.has(day)) continue
    const [opens, closes] = [sinceMidnight(hours.opensAt), sinceMidnight(hours.closesAt)]
    const length = closes > opens ? closes - opens : closes - opens + DAY_MS
    const start = new Date(startOfBahrainDay(day).getTime() + opens)
    if (at < start) return { hours: null, since: null, opens: start }
    if (at.getTime() < start.getTime() + length) return { hours, since: start, opens: null }
  }
  return { hours: null, since: null, opens: null }
}

/** Opening and closing at one time is around the clock. */
export const isAroundTheClock = ({ opensAt, closesAt }: HoursOfDay): boolean => opensAt === closesAt

/** The hours entered in the settings; null if there are none. */
export function officeHoursIn(settings: ReadonlyMap<string, string>): OfficeHours | null {
  const { hours } = inboxSettingsIn(settings)
  return hours.some((day) => day !== null) ? hours : null
}

/** When staff answer, or the office opens next and why it is closed; null without entered hours. */
export function officeWords(
  { settings, holidays }: { settings: ReadonlyMap<string, string>; holidays: Holidays },
  now: Date,
  lang: Lang,
): { isOpen: boolean; text: string } | null {
  const week = officeHoursIn(settings)
  if (week === null) return null
  const say = translatorFor(lang)
  const { hours, opens } = officeStateAt(week, holidays, now)
  if (hours !== null) {
    if (isAroundTheClock(hours)) return { isOpen: true, text: say('bot.office.always') }
    const [from, to] = [formatClock(hours.opensAt, lang), formatClock(hours.closesAt, lang)]
    return { isOpen: true, text: say('bot.office.open', { from, to }) }
  }
  if (opens === null) return null
  const { closedText, closedTextAr } = inboxSettingsIn(settings)
  const [today, day] = [bahrainDate(now), bahrainDate(opens)]
  const holiday = holidays.get(today)
  const why =
    inLang(lang, closedText, closedTextAr).trim() ||
    (holiday
      ? say('bot.office.holiday', { name: inLang(lang, holiday.name, holiday.nameAr) })
      : say('bot.office.closedNow'))
  const time = formatTime(opens, lang)
  const when =
    day === today
      ? say('bot.office.today', { time })
      : say('bot.office.day', { day: formatDay(day, lang, 'long'), time })
  return { isOpen: false, text: [why, when].join(' ') }
}
