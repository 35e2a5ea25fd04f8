/** Two columns on a wide screen, the second one beside both parts of the first; one after the other on a phone and on paper. */
export const twoColumns =
  'lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,27rem)] lg:grid-rows-[auto_1fr] lg:items-start lg:gap-x-16'
export const besideBoth = 'lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:border-0 lg:*:first:pt-1'

/** Buttons side by side, which share the width; their dialogs are not part of the row. */
export const actRow =
  'flex flex-wrap gap-2.5 [&>:is(a,button)]:min-w-fit [&>:is(a,button)]:flex-1 [&>:is(a,button)]:basis-36'
