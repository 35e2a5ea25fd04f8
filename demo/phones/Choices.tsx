import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../web/lib/language/i18n.tsx'
import { classes } from '../../web/ui/class-names.ts'
import { DownIcon, PinIcon } from '../../web/ui/icons.tsx'
import type { SimulatedMessage } from '../contract/simulator.ts'
import type { Written } from './written.ts'

interface ChoicesProps {
  message: SimulatedMessage
  onTap(written: Written): void
  /** Opens the list of locations that can be sent. */
  onLocation(): void
}

/** Choices below a message: buttons, rows of a list, a request for a location. */
export function Choices({ message, onTap, onLocation }: ChoicesProps) {
  const t = useT()
  const { parts, id: replyTo } = message
  if (!parts) return null
  const buttons = (parts.buttons ?? []).flatMap(({ id, title, type, value }) => {
    if (id !== undefined && title !== undefined) return [{ id, title }]
    return type === 'quick_reply' && value ? [{ id: value, title: value }] : []
  })
  return (
    <>
      {buttons.length > 0 && (
        <Row>
          {buttons.map(({ id, title }) => (
            <Tap key={id} onClick={() => onTap({ type: 'button', id, body: title, replyTo })}>
              <bdi>{title}</bdi>
            </Tap>
          ))}
        </Row>
      )}
      {parts.sections && (
        <List
          label={parts.button ?? t('simulator.list')}
          sections={parts.sections}
          onTap={({ id, title }) => onTap({ type: 'list', id, body: title, replyTo })}
        />
      )}
      {parts.type === 'location-request' && (
        <Row>
          <Tap onClick={onLocation}>
            <PinIcon size={16} aria-hidden="true" className="shrink-0" />
            {t('simulator.sendLocation')}
          </Tap>
        </Row>
      )}
    </>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="-mx-3.5 -mb-2.5 grid divide-y divide-line border-t border-line">{children}</div>
)

interface TapProps {
  children: ReactNode
  onClick(): void
  expanded?: boolean
}
const Tap = ({ children, onClick, expanded }: TapProps) => (
  <button
    type="button"
    onClick={onClick}
    aria-expanded={expanded}
    className="flex min-h-tap items-center justify-center gap-2 px-3.5 py-1.5 font-strong text-aqua-ink hover:bg-well"
  >
    {children}
  </button>
)

interface ListProps {
  label: string
  sections: NonNullable<NonNullable<SimulatedMessage['parts']>['sections']>
  onTap(row: { id: string; title: string }): void
}

function List({ label, sections, onTap }: ListProps) {
  const [isOpen, setOpen] = useState(false)
  const rowsShown = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Scroll the opened rows into view; the log is short.
    if (isOpen) rowsShown.current?.scrollIntoView?.({ block: 'nearest' })
  }, [isOpen])
  return (
    <Row>
      <Tap expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <bdi>{label}</bdi>
        <DownIcon size={16} aria-hidden="true" className={classes('shrink-0', isOpen && 'rotate-180')} />
      </Tap>
      {isOpen && (
        <div ref={rowsShown} className="grid divide-y divide-line">
          {sections.map(({ title, rows }) => (
            <div key={title ?? rows[0]?.id} className="grid">
              {title && (
                <p dir="auto" className="px-3.5 pt-2 text-label font-strong text-ink-2">
                  {title}
                </p>
              )}
              {rows.map((row) => (
                <button
                  key={row.id}
                  type="button"
                  dir="auto"
                  onClick={() => {
                    setOpen(false)
                    onTap(row)
                  }}
                  className="grid min-h-tap content-center px-3.5 py-1.5 text-start hover:bg-well"
                >
                  <span className="font-strong">{row.title}</span>
                  {row.description && <span className="text-label text-ink-2">{row.description}</span>}
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </Row>
  )
}
