import type { RunStop } from '@qatra/contract/drivers'
import { type DragEvent, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../../ui/class-names.ts'
import { DownIcon, UpIcon } from '../../../ui/icons.tsx'
import { GripIcon } from './icons.ts'
import { rearranged } from './run-actions.ts'
import { StopRow } from './StopRow.tsx'

interface StopListProps {
  title: string
  stops: readonly RunStop[]
  /** All stops of the run, needed to reorder these. */
  all: readonly RunStop[]
  onArrange(ids: string[]): void
  /** Makes the stop the current one. */
  onOpen(stop: RunStop): void
}

const tool = 'grid size-11 place-items-center rounded-m text-ink hover:bg-well aria-disabled:text-ink-off'

/** Later stops; reordered by drag or buttons. */
export function StopList({ title, stops, all, onArrange, onOpen }: StopListProps) {
  const t = useT()
  const [isArranging, setArranging] = useState(false)
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  function move(stop: RunStop, by: -1 | 1) {
    const onto = stops[stops.indexOf(stop) + by]
    if (!onto) return
    onArrange(rearranged(all, stop.id, onto.id))
    setAnnouncement(t('run.moved', { name: stop.customerName, number: onto.number }))
  }
  function drop(event: DragEvent, onto: RunStop) {
    event.preventDefault()
    if (dragged && dragged !== onto.id) onArrange(rearranged(all, dragged, onto.id))
    setDragged(null)
    setOver(null)
  }
  return (
    <section className="border-t-8 border-well px-4 pt-3.5 pb-3">
      <div className="flex items-center justify-between">
        <h2 className="text-body font-strong">{title}</h2>
        {stops.length > 1 && (
          <button
            type="button"
            aria-pressed={isArranging}
            className="min-h-tap px-2 font-strong text-aqua-ink"
            onClick={() => setArranging(!isArranging)}
          >
            {isArranging ? t('run.arranged') : t('run.arrange')}
          </button>
        )}
      </div>
      <ol>
        {stops.map((stop, i) => (
          <li
            key={stop.id}
            draggable={isArranging}
            onDragStart={() => setDragged(stop.id)}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(stop.id)
            }}
            onDragEnd={() => setOver(null)}
            onDrop={(event) => drop(event, stop)}
            className={classes(
              'border-b border-line last:border-0',
              isArranging && 'cursor-grab',
              over === stop.id && dragged !== stop.id && 'bg-gulf-soft',
            )}
          >
            {isArranging ? (
              <div className="flex items-center">
                <GripIcon size={18} aria-hidden="true" className="me-1 flex-none text-ink-3" />
                <div className="min-w-0 flex-1">
                  <StopRow stop={stop} />
                </div>
                <button
                  type="button"
                  className={tool}
                  aria-label={t('run.up', { name: stop.customerName })}
                  aria-disabled={i === 0 || undefined}
                  onClick={() => move(stop, -1)}
                >
                  <UpIcon size={20} aria-hidden="true" />
                </button>
                <button
                  type="button"
                  className={tool}
                  aria-label={t('run.down', { name: stop.customerName })}
                  aria-disabled={i === stops.length - 1 || undefined}
                  onClick={() => move(stop, 1)}
                >
                  <DownIcon size={20} aria-hidden="true" />
                </button>
              </div>
            ) : (
              <button
                type="button"
                className="block w-full text-start"
                title={t('run.toNext')}
                onClick={() => onOpen(stop)}
              >
                <StopRow stop={stop} />
              </button>
            )}
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </section>
  )
}
