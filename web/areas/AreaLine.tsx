import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useDeliveryArea } from '../app/delivery-area.ts'
import { useNameIn } from '../app/names.ts'
import { useT } from '../lib/language/i18n.tsx'
import { loadMessageGroups } from '../lib/language/messages.ts'
import { useChunk } from '../lib/use-chunk.ts'
import { DownIcon, PinIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'

/** Routes with the line. By route, not by address: the server renders the not-found page at another address than the browser shows. */
const withLine: readonly string[] = [
  '/',
  '/products/$id',
  '/about',
  '/faqs',
  '/privacy',
  '/terms',
  '/orders',
  '/profile',
  '/login',
]

const loadSheet = () =>
  Promise.all([import('./AreaSheet.tsx'), loadMessageGroups(['area'])]).then(([module]) => module.AreaSheet)

/** The sheet with its texts, once it is opened; null while they are loaded. */
export function useAreaSheet(isOpen: boolean, close: () => void) {
  const t = useT()
  return useChunk(loadSheet, {
    need: isOpen,
    onError() {
      close()
      const title = t(navigator.onLine ? 'shell.error.title' : 'shell.error.offlineTitle')
      toast({ title, text: t('shell.error.hint'), tone: 'error' })
    },
  })
}

/** "Deliver to: Seef" below the header; opens the sheet with the areas. */
export function AreaLine() {
  const t = useT()
  const nameIn = useNameIn()
  const area = useDeliveryArea()
  const [isOpen, setOpen] = useState(false)
  const isShown = useRouterState({ select: ({ matches }) => withLine.includes(matches.at(-1)?.routeId ?? '') })
  const close = () => setOpen(false)
  const Sheet = useAreaSheet(isOpen, close)
  if (!isShown) return null
  return (
    <div className="no-print border-y border-line md:border-t-0">
      <button
        type="button"
        aria-haspopup="dialog"
        aria-busy={isOpen && !Sheet ? true : undefined}
        onClick={() => setOpen(true)}
        className="wrap flex min-h-12 items-center gap-2.5 py-1 text-start focus-visible:-outline-offset-3"
      >
        <PinIcon size={20} aria-hidden="true" className="text-aqua-ink" />
        <span className="min-w-0 flex-1 leading-normal">
          {area ? (
            <>
              <span className="text-ink-2">{t('shell.area.to')}</span> <b>{nameIn(area)}</b>
            </>
          ) : (
            t('shell.area.none')
          )}
        </span>
        <span className="flex items-center gap-1 text-label font-strong text-aqua-ink">
          {area && t('shell.area.change')}
          <DownIcon size={18} aria-hidden="true" />
        </span>
      </button>
      {isOpen && Sheet && <Sheet onClose={close} />}
    </div>
  )
}
