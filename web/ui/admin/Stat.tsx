import type { ReactNode } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { AscendingIcon, DescendingIcon } from './icons.ts'

interface StatProps {
  label: ReactNode
  value: ReactNode
  /** Change from the previous period in percent; null if there is no previous value. */
  change?: number | null
  /** The change and the previous period, as text. */
  hint?: ReactNode
}

/** A figure with its change as arrow and number, on a `deep` surface or on the page. May be wrapped in a link. */
export function Stat({ label, value, change, hint }: StatProps) {
  return (
    <div className="min-w-0">
      <div className="truncate leading-relaxed opacity-80">{label}</div>
      <div className="text-display leading-snug font-strong">
        <bdi>{value}</bdi>
      </div>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-caption">
        {change !== undefined && change !== null && <Change percent={change} />}
        {hint && <span className="opacity-80">{hint}</span>}
      </div>
    </div>
  )
}

function Change({ percent }: { percent: number }) {
  const t = useT()
  const text = `${Math.abs(Math.round(percent))}%`
  const way = Math.round(percent) === 0 ? 'same' : percent > 0 ? 'up' : 'down'
  const Sign = way === 'down' ? DescendingIcon : AscendingIcon
  return (
    <span className="inline-flex h-5.5 items-center gap-1 rounded-[6px] bg-gulf-soft px-1.5 font-strong text-gulf in-[.deep]:bg-deep-track in-[.deep]:text-on-deep">
      <span className="sr-only">{t(`admin.change.${way}`, { percent: text })}</span>
      {way !== 'same' && <Sign size={13} aria-hidden="true" />}
      <bdi aria-hidden="true">{text}</bdi>
    </span>
  )
}
