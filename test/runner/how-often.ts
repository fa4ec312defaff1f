/** Whether this is `npm run test:all`, which has time. */
export const isSlowRun = process.env.NOTEWRIGHT_TESTS === 'slow'

/**
 * How often something random is tried: in `npm test`, and in `npm run test:all`, which runs every file again that
 * asks. What a test counts belongs to this number, too.
 */
export const howOften = (quick: number, slow: number): number => (isSlowRun ? slow : quick)
