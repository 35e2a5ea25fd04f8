import type { ReactNode } from 'react'

type Item = readonly [term: ReactNode, value: ReactNode]

/** Terms at the start, values at the end; terms without a value are omitted. */
export function DescriptionList({ items }: { items: readonly Item[] }) {
  const there = items.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <dl className="grid grid-cols-1 gap-1">
      {there.map(([term, value], at) => (
        // The list is static: terms have no identity but their index.
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <div key={at} className="flex items-baseline justify-between gap-4">
          <dt className="flex-none text-ink-2">{term}</dt>
          <dd dir="auto" className="min-w-0 text-end wrap-anywhere">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
