import { useState } from 'react'
import { type MessageKey, useT } from '../../web/lib/language/i18n.tsx'
import { Chip } from '../../web/ui/Chip.tsx'
import { PinIcon } from '../../web/ui/icons.tsx'
import { FileName, fileTypes } from './FileName.tsx'
import { WriteLine } from './WriteLine.tsx'
import type { Written } from './written.ts'

interface Place {
  name: MessageKey
  lat: number
  lng: number
}

const places: readonly Place[] = [
  { name: 'simulator.place.manama', lat: 26.2285, lng: 50.586 },
  { name: 'simulator.place.riffa', lat: 26.13, lng: 50.555 },
  { name: 'simulator.place.sea', lat: 26.4, lng: 50.75 },
]

const chip =
  'relative inline-flex h-10 shrink-0 items-center gap-1.5 rounded-full bg-well px-3.5 text-[0.9375rem] whitespace-nowrap after:absolute after:inset-x-0 after:-inset-y-0.5 hover:bg-well-2'

interface ComposerProps {
  /** Resolves to false if sending failed; the text is then kept. */
  onSend(written: Written): Promise<boolean>
  error: string | null
  onError(error: string | null): void
}

/** Reply field of the customer: text, button reply or location. */
export function Composer({ onSend: send, error, onError: setError }: ComposerProps) {
  const t = useT()
  const [asButton, setAsButton] = useState(false)

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t border-line bg-surface p-3">
      <div role="group" className="-mx-3 rail gap-2 px-3 py-0.5" aria-label={t('simulator.extras')}>
        {fileTypes.map((type) => (
          <button key={type} type="button" onClick={() => void send({ type })} className={chip}>
            <FileName type={type} />
          </button>
        ))}
        {places.map(({ name, lat, lng }) => (
          <button
            key={name}
            type="button"
            data-place=""
            onClick={() => void send({ type: 'location', lat, lng })}
            className={chip}
          >
            <PinIcon size={16} aria-hidden="true" />
            {t('simulator.location', { place: t(name) })}
          </button>
        ))}
        <Chip chosen={asButton} onClick={() => setAsButton(!asButton)}>
          {t('simulator.asButton')}
        </Chip>
      </div>
      {error && (
        <p role="alert" id="composer-error" className="text-label text-clay">
          {error}
        </p>
      )}
      <WriteLine
        label={t('simulator.write')}
        maxLength={5000}
        onSend={(body) => send({ type: asButton ? 'button' : 'text', body })}
        error={{ id: 'composer-error', isThere: error !== null }}
        onError={setError}
      />
    </div>
  )
}
