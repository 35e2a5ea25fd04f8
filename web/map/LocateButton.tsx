import { type Coordinates, roundPoint } from '@qatra/contract/places/geo'
import { useState } from 'react'
import { useT } from '../lib/language/i18n.tsx'
import { LocateIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'
import { locate } from './locate.ts'

/** "My location" button; an error appears as a toast and remains in the button's description. */
export function LocateButton({ onFound }: { onFound(point: Coordinates, accuracy: number): void }) {
  const t = useT()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  async function find() {
    setBusy(true)
    setProblem('')
    const found = await locate(navigator.geolocation)
    setBusy(false)
    if ('problem' in found) {
      const [title, text] = [t(`map.locate.${found.problem}`), t(`map.locate.${found.problem}.hint`)]
      setProblem(`${title}. ${text}`)
      toast({ title, text, tone: 'error', duration: 6000 })
      return
    }
    onFound(roundPoint(found.point, 5), found.accuracy)
    if (found.isRough) toast({ title: t('map.locate.rough'), text: t('map.locate.rough.hint'), tone: 'error' })
  }

  return (
    <button
      type="button"
      aria-busy={isBusy || undefined}
      aria-describedby={problem ? 'map-locate-problem' : undefined}
      onClick={isBusy ? undefined : () => void find()}
      className="absolute start-3 bottom-3 z-1 flex h-tap items-center gap-2 rounded-m bg-surface px-3.5 text-[0.9375rem] font-strong text-aqua-ink shadow-float hover:bg-well"
    >
      <LocateIcon size={20} aria-hidden="true" />
      {isBusy ? t('map.locating') : t('map.locate')}
      {problem && (
        <span id="map-locate-problem" className="sr-only">
          {problem}
        </span>
      )}
    </button>
  )
}
