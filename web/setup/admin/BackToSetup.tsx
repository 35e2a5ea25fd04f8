import { type SetupKey, setupKeys } from '@qatra/contract/settings/setup'
import { Link, useRouterState } from '@tanstack/react-router'
import { createAtom, useSelector } from '@tanstack/react-store'
import { useEffect } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { tabStore } from '../../lib/site-data.ts'
import { CloseIcon, StartIcon } from '../../ui/icons.tsx'

const SETUP = '/admin/setup'
const key = 'setup-step'
const stored = tabStore.getItem(key)
const leftFor = createAtom<SetupKey | null>(setupKeys.find((each) => each === stored) ?? null)

/** The step whose page was opened; null once the checklist is open again. */
export function leaveForStep(step: SetupKey | null) {
  leftFor.set(step)
  if (step) tabStore.setItem(key, step)
  else tabStore.removeItem(key)
}

/** The step to which the page leads back, also after a reload; null if it was not opened for one. */
export function useLeftStep(): SetupKey | null {
  const step = useSelector(leftFor)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    if (path === SETUP) leaveForStep(null)
  }, [path])
  return path === SETUP ? null : step
}

/** A panel over the page on a narrow screen stays below it, by `--top-bar` of the layout. */
export function BackToSetup({ step }: { step: SetupKey }) {
  const t = useT()
  return (
    <div className="no-print sticky top-0 z-20 flex h-11 items-center desk:static gap-2 border-b border-line bg-gulf-soft ps-3 pe-2 text-label md:ps-5">
      <Link
        to={SETUP}
        search={{ step }}
        className="flex min-h-tap items-center gap-1.5 font-strong text-gulf hover:underline"
      >
        <StartIcon size={18} aria-hidden="true" />
        {t('admin.toSetup')}
      </Link>
      <button
        type="button"
        aria-label={t('admin.close')}
        className="ms-auto grid size-tap place-items-center rounded-m text-ink-2 hover:bg-well"
        onClick={() => leaveForStep(null)}
      >
        <CloseIcon size={18} aria-hidden="true" />
      </button>
    </div>
  )
}
