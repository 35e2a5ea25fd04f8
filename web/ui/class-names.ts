/** Joins what is there: `classes('a', on && 'b')`. */
export const classes = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')
