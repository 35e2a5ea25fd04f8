import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { classes } from '../class-names.ts'
import { Skeleton } from '../Skeleton.tsx'

export interface Tab {
  key: string
  label: ReactNode
  /** `waiting` reserves the space of a number that is loading. */
  count?: number | 'waiting' | undefined
  /** Search parameters of the view; `page` is removed. */
  search: Record<string, string | number | readonly string[] | undefined>
}

/** Views of one list, as links. */
export function Tabs({ label, chosen, items }: { label: string; chosen: string; items: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null)
  // On a phone the last ones are beyond the edge. Moves the row alone: the page keeps its scroll position.
  useEffect(() => {
    const row = nav.current
    const tab = chosen && row?.querySelector('[aria-current]')
    if (!row || !tab) return
    const [outer, inner] = [row.getBoundingClientRect(), tab.getBoundingClientRect()]
    row.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
  }, [chosen])
  return (
    <nav ref={nav} aria-label={label} className="rail gap-1 border-b border-line px-2 md:px-6">
      {items.map((tab) => (
        <Link
          key={tab.key}
          to="."
          // Changes only the search parameters of the current page.
          search={(before: object) => ({ ...before, page: undefined, ...tab.search })}
          resetScroll={false}
          // By default a view whose keys are a subset of the address would be active too.
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
