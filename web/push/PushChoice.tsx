import type { ReactNode } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { Button } from '../ui/Button.tsx'
import { NewIcon } from '../ui/icons.tsx'
import { usePush } from './use-push.ts'

/** Turns notifications about orders on and off for this device. Nothing where the browser has none. */
export function PushChoice(): ReactNode {
  const t = useT()
  const { isThere, isOn, busy, problem, change } = usePush()
  if (!isThere) return null
  return (
    <section aria-labelledby="push-choice" className="flex items-start gap-3.5">
      <span className="grid size-12 flex-none place-items-center rounded-full bg-aqua-soft text-aqua-ink">
        <NewIcon size={22} aria-hidden="true" />
      </span>
      <div className="min-w-0 flex-1">
        <h2 id="push-choice" className="text-heading">
          {t(isOn ? 'push.isOn' : 'push.title')}
        </h2>
        <p className="text-label text-ink-3">{t(isOn ? 'push.isOnText' : 'push.text')}</p>
        <Button tone={isOn ? 'quiet' : 'gulf'} className="mt-2.5" busy={busy} onClick={() => void change()}>
          {t(isOn ? 'push.turnOff' : 'push.turnOn')}
        </Button>
        <p role="alert" className="mt-1.5 text-label text-clay empty:hidden">
          {problem && t(`push.${problem}`)}
        </p>
      </div>
    </section>
  )
}
