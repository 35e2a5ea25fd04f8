import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classes } from '../class-names.ts'
import { Skeleton } from '../Skeleton.tsx'

export interface Tab {
  key: string
  label: ReactNode
  /** `waiting` keeps the place of a number that is still on its way. */
  count?: number | 'waiting' | undefined
  /** What it sets in the address; `page` goes. */
  search: Record<string, string | number | readonly string[] | undefined>
}

/** Views of one list, as links: each has its address. */
export function Tabs({ label, chosen, items }: { label: string; chosen: string; items: readonly Tab[] }) {
  return (
    <nav aria-label={label} className="rail gap-1 border-b border-line px-2 md:px-6">
      {items.map((tab) => (
        <Link
          key={tab.key}
          to="."
          // A change of this page's own address, whichever page it is.
          search={((before: object) => ({ ...before, page: undefined, ...tab.search })) as never}
          resetScroll={false}
          // Else every view whose keys are among those of the address would call itself the current one.
          activeOptions={{ exact: true }}
          aria-current={tab.key === chosen ? 'true' : undefined}
          className={classes(
            'relative flex h-10.5 flex-none max-md:h-tap max-md:min-w-tap items-center max-md:justify-center gap-1.5 px-2.5 whitespace-nowrap',
            tab.key === chosen
              ? 'font-strong text-ink after:absolute after:inset-x-1.5 after:bottom-0 after:h-0.75 after:rounded-t-full after:bg-gulf'
              : 'text-ink-2 hover:text-ink',
          )}
        >
          {tab.label}
          {tab.count === 'waiting' ? (
            <Skeleton className="h-3.5 w-3.5" />
          ) : (
            tab.count !== undefined && <span className="text-caption font-regular text-ink-3">{tab.count}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}
