import { addDays, bahrainDate, startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import type { Conversation } from '@qatra/contract/whatsapp/inbox/inbox'
import { useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { SnoozeIcon } from '../../../ui/admin/icons.ts'
import { Menu } from '../../../ui/admin/Menu.tsx'
import { Button } from '../../../ui/Button.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CheckIcon } from '../../../ui/icons.tsx'
import type { Work } from './use-work.ts'

const HOUR_MS = 3_600_000
const MORNING_HOUR = 8

/** Eight in the morning, that many days from now. */
const morningIn = (days: number) =>
  new Date(startOfBahrainDay(addDays(bahrainDate(new Date()), days)).getTime() + MORNING_HOUR * HOUR_MS)

/** Times to choose from, when the menu is used. */
const times = {
  hour: () => new Date(Date.now() + HOUR_MS),
  threeHours: () => new Date(Date.now() + 3 * HOUR_MS),
  tomorrow: () => morningIn(1),
  nextWeek: () => morningIn(7),
} as const

/** Snooze and done, or the way back from them. */
export function WorkButtons({ conversation, work }: { conversation: Conversation; work: Work }) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  async function run(act: () => Promise<unknown>) {
    setBusy(true)
    await act()
    setBusy(false)
  }
  const shape = 'px-3 text-label md:min-h-8.5'
  if (conversation.doneAt)
    return (
      <Button size="small" className={shape} busy={busy} onClick={() => void run(work.reopen)}>
        {t('inbox.reopen')}
      </Button>
    )
  return (
    <>
      <Menu
        label={t('inbox.snooze.menu')}
        buttonLabel={t('inbox.snooze')}
        className="flex min-h-8.5 items-center gap-2 rounded-m bg-well px-3 text-label font-strong hover:bg-well-2 max-md:size-tap max-md:justify-center max-md:px-0"
        button={
          <>
            <SnoozeIcon size={17} aria-hidden="true" data-snooze />
            <span className="max-lg:sr-only">{t('inbox.snooze')}</span>
          </>
        }
        choices={[
          ...(Object.keys(times) as (keyof typeof times)[]).map((key) => ({
            key,
            label: t(`inbox.snooze.${key}`),
            onChoose: () => void work.snooze(times[key]()),
          })),
          ...(conversation.snoozedUntil
            ? [{ key: 'end', label: t('inbox.snooze.end'), onChoose: () => void work.endSnooze() }]
            : []),
        ]}
      />
      <Button
        size="small"
        className={classes(shape, 'max-md:size-tap max-md:px-0')}
        busy={busy}
        onClick={() => void run(work.resolve)}
      >
        <CheckIcon size={17} aria-hidden="true" />
        <span className="max-lg:sr-only">{t('inbox.resolve')}</span>
      </Button>
    </>
  )
}
