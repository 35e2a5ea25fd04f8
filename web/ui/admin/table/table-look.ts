import type { Column } from './table-columns.tsx'

export const hiddenBelow: Record<NonNullable<Column<unknown>['from']>, string> = {
  lg: 'max-lg:hidden',
  desk: 'max-desk:hidden',
  xl: 'max-xl:hidden',
}

/** The first and last cell keep the page's gutter. */
export const padding = (at: number, isLast: boolean) => `${at === 0 ? 'ps-6' : ''} ${isLast ? 'pe-6' : ''}`

/** Enlarges the click target of a checkbox. */
export const tickBox = '-m-2 grid size-8 cursor-pointer place-items-center'

/** Names and other texts take up to three lines before they are cut. */
export const wholeNames =
  '[&_.truncate]:line-clamp-3 [&_.truncate]:wrap-anywhere [&_.truncate]:whitespace-normal [&_.truncate_bdi]:whitespace-normal'
