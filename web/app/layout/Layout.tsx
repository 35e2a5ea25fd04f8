import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { useChunk } from '../../lib/use-chunk.ts'
import { Toasts } from '../../ui/Toast.tsx'
import { useRouteChanges } from '../routes/use-route-changes.ts'
import { PendingSignOut } from '../session/PendingSignOut.tsx'
import { useOtherTabs } from '../session/session.ts'
import { Header } from './Header.tsx'
import { useHead } from './head.ts'

const loadKeeper = () => import('../../ui/focus-keeper.ts')

/** Keeps the focus off the body (`keepFocus`) from the first focus on: before it there is none to keep. */
function KeptFocus() {
  const [hasFocused, setFocused] = useState(false)
  const keeper = useChunk(loadKeeper, { need: hasFocused })
  useEffect(() => {
    // Not urgent: the press that moves the focus is handled first.
    const note = () => startTransition(() => setFocused(true))
    if (document.activeElement !== document.body) note()
    document.addEventListener('focusin', note, { once: true })
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => keeper?.keepFocus(), [keeper])
  return null
}

interface LayoutProps {
  children: ReactNode
  /** Where to deliver, below the header. */
  areaLine?: ReactNode
  /** Banner above the page while impersonating. */
  banner?: ReactNode
  footer?: ReactNode
  /** Floats over the page: mini cart, dialogs that any page may open. */
  floating?: ReactNode
  /** The consent banner. */
  consent?: ReactNode
}

export function Layout({ children, areaLine, banner, footer, floating, consent }: LayoutProps) {
  const t = useT()
  useHead()
  useOtherTabs()
  useRouteChanges()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:start-2 focus:top-2 focus:z-50 focus:rounded-m focus:bg-surface focus:px-4 focus:py-2 focus:shadow-float"
      >
        {t('shell.skip')}
      </a>
      {banner}
      <Header />
      {areaLine}
      <PendingSignOut />
      <div className="flex flex-1 flex-col">{children}</div>
      {footer}
      {floating}
      {consent}
      <Toasts aside />
      <KeptFocus />
    </div>
  )
}
