import { useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'

/** Branches below this depth start closed. */
const OPEN_DEPTH = 3
const MOST_SHOWN = 100

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Collapsible JSON tree; left to right in both languages. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  return (
    <div dir="ltr" className="overflow-x-auto rounded-m bg-well px-3.5 py-2.5 text-label">
      <ul aria-label={label}>
        <Node name={null} value={value} depth={0} />
      </ul>
    </div>
  )
}

function Node({ name, value, depth }: { name: string | null; value: unknown; depth: number }) {
  if (!isBranch(value)) {
    return (
      <li className="wrap-anywhere">
        <Name name={name} />
        <Leaf value={value} />
      </li>
    )
  }
  return <Branch name={name} value={value} depth={depth} />
}

function Branch({ name, value, depth }: { name: string | null; value: object; depth: number }) {
  const t = useT()
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH)
  const entries = Object.entries(value)
  const [start, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) {
    return (
      <li>
        <Name name={name} />
        {start}
        {end}
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        className="min-h-6 rounded-s text-start hover:bg-well-2"
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true" className="inline-block w-4 text-ink-3">
          {isOpen ? '−' : '+'}
        </span>
        <Name name={name} />
        {isOpen ? start : `${start} … ${end}`}
        {!isOpen && <span className="text-ink-3"> {entries.length}</span>}
      </button>
      {isOpen && (
        <>
          <ul className="ms-4 border-s border-line ps-3">
            {entries.slice(0, MOST_SHOWN).map(([key, one]) => (
              <Node key={key} name={key} value={one} depth={depth + 1} />
            ))}
            {entries.length > MOST_SHOWN && (
              <li className="text-ink-3">{t('webhooks.more', { count: entries.length - MOST_SHOWN })}</li>
            )}
          </ul>
          <span className="ms-4">{end}</span>
        </>
      )}
    </li>
  )
}

const Name = ({ name }: { name: string | null }) =>
  name === null ? null : <span className="text-ink-2">{name}: </span>

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <bdi className="whitespace-normal text-aqua-ink wrap-anywhere">“{value}”</bdi>
  return <b className="font-strong">{String(value)}</b>
}
