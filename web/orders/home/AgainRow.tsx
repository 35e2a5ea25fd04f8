import type { ReactNode } from 'react'
import { ProductThumb } from '../../ui/ProductPicture.tsx'

interface Pictured {
  id: number
  size: string
  imageUrl: string | null
}
interface ThumbsProps {
  items: readonly Pictured[]
  tint: string | null
}

/** The first two bottles of an order, the second over the first. */
export function TwoThumbs({ items, tint }: ThumbsProps) {
  return (
    <span className="flex shrink-0">
      {items.slice(0, 2).map((item, index) => (
        <span key={item.id} className={index > 0 ? '-ms-6 rounded-m ring-3 ring-surface' : ''}>
          <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={tint} px={48} />
        </span>
      ))}
    </span>
  )
}

interface AgainRowProps extends ThumbsProps {
  id: string
  title: string
  text: string
  /** The button. */
  children: ReactNode
}

/** One line at the top of the home page that orders again: what, and a button. */
export function AgainRow({ id, items, tint, title, text, children }: AgainRowProps) {
  return (
    <section aria-labelledby={id} className="mt-2 flex min-h-12 flex-wrap items-center justify-end gap-x-3 gap-y-1">
      <TwoThumbs items={items} tint={tint} />
      <div className="min-w-[min(5rem,100%)] flex-1">
        <h2 id={id} className="text-[0.9375rem] leading-[1.5] font-strong">
          {title}
        </h2>
        <p dir="auto" className="line-clamp-2 text-as-page text-label leading-[1.5] text-ink-3">
          {text}
        </p>
      </div>
      {children}
    </section>
  )
}
