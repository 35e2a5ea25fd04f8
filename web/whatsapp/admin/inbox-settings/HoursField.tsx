import { weekdayName, weekFromSaturday } from '@qatra/contract/calendar/calendar'
import type { InboxSettings } from '@qatra/contract/whatsapp/inbox/settings'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { TextField } from '../../../ui/Field.tsx'

type Hours = InboxSettings['hours']
const usual = { opensAt: '08:00', closesAt: '17:00' }

/** Hours of each weekday, from Saturday. */
export function HoursField({
  value,
  error,
  onChange,
}: {
  value: Hours
  error: string | undefined
  onChange(hours: Hours): void
}) {
  const { t, lang } = useLanguage()
  // A day that is opened takes the hours of another one.
  const first = value.find((day) => day !== null) ?? usual
  const change = (weekday: number, day: Hours[number]) => onChange(value.map((one, at) => (at === weekday ? day : one)))
  return (
    <div className="grid gap-2">
      <ul aria-label={t('inboxSettings.hours')} className="grid gap-2">
        {weekFromSaturday.map((weekday) => {
          const day = value[weekday] ?? null
          const name = weekdayName(weekday, lang)
          return (
            <li key={weekday} className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1">
              <label className="flex min-h-9 w-32 cursor-pointer items-center gap-2.5 max-md:min-h-tap">
                <input
                  type="checkbox"
                  className="tick"
                  checked={day !== null}
                  onChange={({ target }) => change(weekday, target.checked ? first : null)}
                />
                {name}
              </label>
              {day === null ? (
                <span className="text-ink-3">{t('inboxSettings.hours.closed')}</span>
              ) : (
                <span className="flex items-center gap-2">
                  {(['opensAt', 'closesAt'] as const).map((end) => (
                    <TextField
                      key={end}
                      label={t(`inboxSettings.hours.${end}`, { day: name })}
                      labelHidden
                      className="w-34"
                      ltr
                      type="time"
                      value={day[end]}
                      onChange={({ target }) => change(weekday, { ...day, [end]: target.value })}
                    />
                  ))}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {error && (
        <p role="alert" data-invalid tabIndex={-1} className="text-clay">
          {error}
        </p>
      )}
    </div>
  )
}
