import type { Language } from './language.js'

const showAny = '((show|list|get|find|give|pick|open|read) )?(me )?'
const showMe = '((show|list|get|find|give) )?(me )?'
const someNotes = '(all )?(the |my |our )?(notes?|pages?|everything|files?)'
const allNotes = '(all )?(of )?(the |my |our )?(notes|pages|files|everything)'
const howMany = 'how many (notes|pages|files)'
const showAll = '((show|list|get|find|give) )?(me )?(all )?(the )?'
const showMy = '((show|list|get|find|give) )?(me )?(all )?(of )?(the |my |our )?'
const unfinished = '(open |unfinished |incomplete |outstanding |pending |undone |remaining )'
const notDoneYet = '(open|unfinished|left|undone|to do|pending|not done|outstanding)'
const makeNote = '(create|make|write|add|start)( me)? (a |an |the )?(new )?(note|page|file)'
const called = '(called|named|titled)'
const holding = '( (with|containing|saying|that says)( the)?( (text|content|words))?:?|:)'
const marked = '(?=["“„«‘\'`[])'
const add = '(append|add|write|put|insert|log|note|jot)( down)?'
const day = String.raw`today|yesterday|tomorrow|\d{4}-\d\d-\d\d`
const daily = `(my |the )?((?<date>${day})'s (daily )?(note|page|entry|journal)|(daily )?(note|page) (of|for) (?<date2>${day})|daily (note|page)|journal)`
const aTask = '(a |an |the )?(new )?(task|todo|to-do)( (to|called|saying)|:)? '

export const english: Language = {
  code: 'en',
  words: `a about all an and any are as at be but by can could did do does for from had has have he her his how i in into is it
    its may me my no not of on or our she should so that the their them there these they this those to was we were what when where
    which who why will with would you your`,
  noteWords: 'note notes page pages document documents entry entries vault',
  frame: `say says said tell told write writes wrote written noted mention mentions mentioned describe described
    explain find found show search look list remember remind learn learned need needs want know use used
    possible way ways work works happen happens help please mean means make get give go like let see try thing
    things across after again against also am anyone anything been before being doing done each ever every goes
    going happened having helps here him if just looks made makes many might mine much must next now off one out
    over quite really shall some somebody someone something such than then too under until up upon us uses
    usually very whats whenever wherever while whom whose without yours`,
  politeBefore:
    "please|pls|kindly|hey notewright|notewright|ok(?:ay)?|now|then|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like you to|i want you to|go ahead and",
  politeAfter: 'please|thanks|thank you',
  thisNote: 'this|it|that|the note|(?:this|(?:the )?(?:open|current)) (?:note|file|page|one)',
  command:
    '(?:rename|move|delete|remove|trash|tag|untag|merge|split|archive|sort|organi[sz]e|clean up|replace|convert|link|unlink|tick|complete|duplicate|copy|import|export) (?:all|every|each|both|any) ',
  forms: {
    undo: [
      '(undo|revert|roll back)( (that|this|it|all|everything|(the |my |your )?(last )?(change|changes|edit|rename|move)))?',
      'take (that|this|it) back',
    ],
    help: [
      '(hi|hello|hey|good (morning|afternoon|evening))( (there|notewright))?',
      'help( me)?',
      'what can (you|I) do( here)?',
      '(who|what) are you',
      'how (do you|does this) work',
    ],
    thanks: [
      '(many )?(thanks|thank you|thank u|thx|ty|cheers|спасибо)( (a lot|so much|very much|you|notewright|again))?',
      '(great|perfect|cool|nice|good|fine|awesome|got it|well done|ok|okay|alright|bye|goodbye|good (night|bye)|see you)( (job|work|answer|then))?',
    ],
    search: [
      '(search|look)( (in |through )?(my |the |all )?(notes|vault))?( for)? {query}',
      'find( me)?( (all |the |my |any )?(notes|pages|passages|everything|anything) (about|on|that mention|mentioning|with))? {query}',
      '(notes|pages) (about|on|mentioning) {query}',
    ],
    listTags: [
      '(list|show|get|give)( me)?( all)?( (the|my|our))? tags',
      '(what|which) tags (are there|exist|are used|are in use|do (I|we) (have|use)|does the vault have)',
      'what are (all )?(the|my|our) tags',
      '(all )?tags',
    ],
    randomNote: [
      `${showAny}(a |any |some )?random note( ((with|having) (the )?tag|tagged)( with)? {tags})?`,
      `${showAny}(a |any |some )?random note (from|in) (the )?(folder )?{folder}`,
      'surprise me',
    ],
    taggedNotes: [
      `${showAny}${someNotes} ((that|which) (is|are) )?(tagged|labell?ed|marked) (with |as )?(the )?(tags? )?{tags}`,
      `${showAny}${someNotes} (with|having|((that|which) )?(has|have|carry)) (the )?tags? {tags}`,
      `${showAny}${someNotes} (with )?(?=#){tags}`,
      `(what|which) (notes|pages) (are (tagged|labell?ed|marked)|have|carry) (with |as )?(the )?(tags? )?{tags}`,
      '(?=#){tags}',
    ],
    notesInFolder: [
      `${showMe}${allNotes} (that are |which are )?(in|under|inside|from|of) (the |my )?folder {folder}`,
      `${showMe}${allNotes} (that are |which are )?(in|under|inside|from|of) (the |my )?{folder} folder`,
      `(show|list|get|find|give) (me )?${allNotes} (in|under|inside) {folder}`,
      `(what|which) (notes|pages|files) (are|do (I|we) have) (there )?(in|under|inside) (the |my )?(folder )?{folder}`,
      "what('s| is) (there )?in (the |my )?folder {folder}",
      "what('s| is) (there )?in (the |my )?{folder} folder",
      '(list|show) (me )?(the |my )?folder {folder}',
    ],
    countTagged: [
      `${howMany} (are|do (I|we) have) (there )?(tagged|with the tag|labell?ed)( with)? {tags}`,
      `${howMany} (are|have|carry) (tagged|the tag)( with)? {tags}`,
      `${howMany} (with|have) (?=#){tags}`,
    ],
    countAll: [
      `${howMany} (are|do (I|we) have) (there )?(in|under|inside) (the |my |this )?(vault|notebook)`,
      `${howMany} (are there|do (I|we) have|does (the|my|this) vault (have|hold|contain))`,
      `(count|number of) (all )?(of )?(the |my |our )?(notes|pages)( in (the |my |this )?vault)?`,
    ],
    countInFolder: [
      `${howMany} (are|do (I|we) have) (there )?(in|under|inside) (the |my )?(folder )?{folder}`,
      `${howMany} (in|under|inside) (the |my )?(folder )?{folder}`,
    ],
    countAbout: [
      `${howMany} ((are|do (I|we) have) (there )?)?(about|on|mention|mentioning|that mention|contain|talk about) {topic}`,
    ],
    backlinks: [
      '(what|who|(what|which) (notes|pages|files)) (all )?(links?|points?|refers?|leads?) (back )?to {note}',
      `${showAll}(backlinks|back links|incoming links) (of|to|for|from) {note}`,
      'what are the (backlinks|back links|incoming links) (of|to|for) {note}',
    ],
    forwardLinks: [
      '(what|where|(what|which) (notes|pages)) does {note} (link|point|refer|lead)( to)?',
      `${showAll}((forward|outgoing|outbound) )?links (of|in|from|on) {note}`,
      'what are the ((forward|outgoing) )?links (of|in|from) {note}',
    ],
    tasksDue: [
      `${showMy}${unfinished}?(tasks|todos|to-dos) (that are |which are )?(due|for) {time}`,
      "(what|which tasks)( tasks)?( is|'s| are) due {time}",
      '(what|which) (tasks|todos|to-dos) (are |do (I|we) have )?(due|for) {time}',
      "what('s| is| are)?( my)? (?<time>overdue)( tasks)?",
      `${showMy}(?<time2>overdue) (tasks|todos|to-dos)`,
      'what do (I|we) (have|need) to do {time}',
    ],
    tasks: [
      `${showMy}${unfinished}?(tasks|todos|to-dos)( list)?( that are)?( ${notDoneYet})? (in|of|from) {note}`,
      `${showMy}${unfinished}(tasks|todos|to-dos)`,
      `((show|list|get|find|give) )(me )?(all )?(of )?(the |my |our )?(tasks|todos|to-dos)( that are)?( ${notDoneYet})?`,
      `(what|which) (are )?(the |my |our )?${unfinished}?(tasks|todos|to-dos)( list)? (are |is )?(still |yet )?(${notDoneYet}|do (I|we) (still )?have( left)?|are there|(I|we) have)`,
      '(what|which) are (the |my |our )?(open|unfinished|pending|outstanding) (tasks|todos|to-dos)',
      'what do (I|we) (still )?(have|need) to do',
      'what is (left|still) (to do|to be done)',
      'how many (open |unfinished |pending |undone )?(tasks|todos|to-dos) (do (I|we) have|are (there|open|left))( open| left)?',
      '(my |the )?(open tasks|todos|tasks|to-do list|todo list|open todos)',
    ],
    tickTask: [
      '(tick|check)( off)? (the )?(task |todo |to-do )?{task}',
      '(tick|check) (the )?(task |todo |to-do ){task} off',
      '(complete|finish|close) (the )?(task|todo|to-do):? {task}',
      'mark (the )?(task |todo |to-do )?{task} (as )?(done|complete|completed|finished)',
    ],
    readNote: ['(read|open|view|cat)( me)? {note}'],
    showNote: ['(show|display|print|summarize|summarise|give)( me)? {note}'],
    recentNotes: [
      '((show|list|find|give|get) )?(me )?(the |my |all )?(recent|latest|newest|last|recently (changed|edited|modified|written|added)) notes?',
      "what('s| is| has)? (been )?(changed|new)( recently| lately)?",
    ],
    compose: [
      '(create|make|write|draft|compose)( me)? (a |an )?(new |short |long )?(note|page|summary|essay|article|draft) (about|on|of) {topic}',
      '(translate|rewrite|rephrase|proofread|improve|brainstorm|draft|shorten) {topic}',
    ],
    createNote: [
      `${makeNote} ${called} {note} in (the )?folder {folder}${holding} {content}`,
      `${makeNote} ${called} {note} in (the )?folder {folder}`,
      `${makeNote} ${called} {note} in {place}${holding} {content}`,
      `${makeNote} ${called} {note}${holding} {content}`,
      `${makeNote} ${marked}{note}${holding} {content}`,
      `${makeNote} ${called} {note} in {place}`,
      `${makeNote} ${called} {note}`,
      `${makeNote} ${marked}{note}`,
      `new note( ${called})?:? {note}${holding} {content}`,
      `new note( ${called})?:? {note}`,
    ],
    addToDaily: [
      `${add} ${aTask}(to|in|into|on) ${daily}:? {task}`,
      `${add} ${aTask}{task} (to|in|into|on) ${daily}`,
      `${add} to ${daily}:? {content}`,
      `${add} {content} (to|in|into|on) ${daily}`,
      `(create|make|start|open)( me)? (a |an )?(new )?${daily}( with|:) {content}`,
      `(create|make|start)( me)? (a |an )?(new )?${daily}`,
    ],
    addToNote: [
      `(append|add) ${aTask}{task} to (the end of )?{note} under (the )?(heading |section )?{heading}`,
      `(append|add) ${aTask}{task} to (the end of )?{note}`,
      '(append|add) to (the end of )?{note} under (the )?(heading |section )?{heading}: {content}',
      '(append|add) to (the end of )?{note}: {content}',
      '(append|add) {content} to (the end of )?{note} under (the )?(heading |section )?{heading}',
      '(append|add) {content} to (the end of )?{note}',
    ],
    renameNote: ['rename {note} (to|as|into) {target}'],
    moveNote: [
      'move {note} (to|into|in) (the )?folder {folder}',
      'move {note} (to|into|in) (the )?{folder} folder',
      'move {note} (to|into) {target}',
    ],
    deletePart: ['(delete|trash|remove) {note} (from|in|of) {place}'],
    deleteNote: ['(delete|trash) {note}', 'remove (?=(the |my |our )?(note|file|page) ){note}', 'throw away {note}'],
    tagNote: [
      'tag {note} (with|as) (the )?(tags? )?{tags}',
      'tag {note} (?=#){tags}',
      '(add|put) (the )?tags? {tags} (to|on) {note}',
      '(add|put) (?=#){tags} (to|on) {note}',
    ],
    untagNote: [
      '(remove|delete|drop|take) (the )?tags? {tags} (from|off) {note}',
      '(remove|delete|drop|take) (?=#){tags} (from|off) {note}',
      'untag {note} (from |as )?(?=#){tags}',
    ],
    setProperty: [
      '(set|change|update) (the )?(property )?{property} (of|in|on|for) {note} to {value}',
      "(set|change|update) {note}'s {property} to {value}",
      '(remove|delete|clear|unset) (the )?property {property} (of|from|in) {note}',
    ],
  },
  times: [],
  months: 'january february march april may june july august september october november december',
  examples: [
    'show [[{note}]]',
    'what links to {note}',
    'notes tagged #{tag}',
    'how many notes are in {folder}',
    'open tasks',
    'what changed this week',
    "add … to today's note",
    'rename {note} to …',
    'tag {note} with …',
  ],
  say: {
    noModel: 'No language model is configured',
    quotesInstead: '{noModel}, so I quote your notes instead of answering in my own words. {setUp}',
    setUpModel: 'To set one up: {place}.',
    foundModels: 'Found on this computer: {models}. Use one with {use}.',
    andMore: 'and {n} more',
    chatOnly:
      '{noModel}. Without one I can search your notes, quote them, and handle simple requests such as `rename A to B` or `what links to A`, but this chat has no tools. {setUp}',
    help: '{noModel}, so I search your notes, quote them, and handle simple requests. Ask a question, or for example:',
    helpEnd: 'I ask before changing anything, and you can undo it with {undo}. A language model can do more. {setUp}',
    notUnderstood: "I don't understand this request without a language model. These work, for example:",
    needsModel:
      'Writing new text needs a language model, and none is configured. {setUp} I can save your own words: `create a note called "Name" with …`.',
    promptNeedsModel: 'The prompt /{name} gives instructions that need a language model. {setUp}',
    worksWithout: 'Without one, I can search your notes for a question, or carry out these requests:',
    welcome: 'You are welcome.',
    fromNotes: 'From your notes:',
    nothingAbout: 'I found nothing about {topic} in your notes.',
    nothingAboutBut: 'I found nothing about {topic} in your notes. These passages mention {covered}:',
    mayNotAnswer: 'These passages mention your words, but may not answer the question:',
    tryOtherWords: 'Try fewer or different words.',
    propertyLabel: 'Property',
    or: '{a} or {b}',
    undoHint: 'To undo: {undo}.',
    nothingToUndo: 'I have changed nothing in this chat. For earlier changes, use {undo}; {history} lists them all.',
    notDone: 'Not done.',
    deniedByUser: 'You denied this.',
    noSuchNote: 'Note not found: {note}.',
    didYouMean: 'Did you mean one of these?',
    whichNote: "I can't tell which note you mean. Name it, for example: `{example}`.",
    oneAtATime:
      'This looks like several requests. Without a language model I can only handle one at a time. Send them one by one.',
    quoteNames: "I can't tell the names apart in {text}. Put them in quotation marks: `{example}`.",
    needsAgentMode: 'Not done: this needs two steps, and this mode allows only one. Ask again in agent mode ({mode}).',
    needsTool: 'Not done: this needs the tool `{tool}`, which is off. Turn it on: {place}.',
    noToolsInMode: "Not done: this needs a tool that this mode can't call. Ask again in agent mode ({mode}).",
    onlyWholeNotes:
      'I can only delete whole notes. If this is the name of a note, put it in quotation marks: `{example}`.',
    tagIsOneWord: 'A tag is one word, without spaces or punctuation. Did you mean `#{tag}`?',
    alreadyExists: 'Not done: {path} already exists. Add to it with `{example}`, or choose another name.',
    tags: 'Tags and their number of notes:',
    tagged: 'Notes tagged {tags}:',
    noneTagged: 'No note is tagged {tags}.',
    inFolder: 'Notes in {folder}:',
    firstInFolder: 'The first {n} notes in {folder}:',
    noneInFolder: 'There are no notes in a folder {folder}.',
    countAll: [
      'There are no notes in the vault.',
      'There is one note in the vault.',
      'There are {n} notes in the vault.',
    ],
    countInFolder: [
      'There are no notes in {folder}.',
      'There is one note in {folder}.',
      'There are {n} notes in {folder}.',
    ],
    countTagged: [
      'There are no notes tagged {tags}.',
      'There is one note tagged {tags}.',
      'There are {n} notes tagged {tags}.',
    ],
    countAbout: ['No note mentions {topic}.', 'One note mentions {topic}:', '{n} notes mention {topic}:'],
    atLeast: 'at least {n}',
    backlinks: ['No other note links to {note}.', 'One note links to {note}:', '{n} notes link to {note}:'],
    times: ['', '', '({n} links)'],
    links: 'Links in {note}:',
    noLinks: 'There are no links in {note}.',
    brokenLink: '(no such note)',
    notesOf: 'Notes of {when}:',
    noNotesOf: 'There are no notes from {when}.',
    quotesOf: 'From the notes of {when}:',
    notMentionedIn: "The notes from {when} don't mention {topic}.",
    tasks: ['There are no open tasks.', 'One open task:', '{n} open tasks:'],
    tasksDue: ['No task is due {when}.', 'One task is due {when}:', '{n} tasks are due {when}:'],
    tasksIn: ['There are no open tasks in {note}.', 'One open task in {note}:', '{n} open tasks in {note}:'],
    moreTasks: '… and {n} more',
    due: 'due {date}',
    whichTask: 'Several open tasks match. Give more of its words:',
    noSuchTask: 'No open task mentions {task}.',
    created: 'Created {note}.',
    added: 'Added to {note}.',
    renamed: 'Renamed to {note}.',
    deleted: 'Moved {note} to the trash.',
    changed: 'Changed {note}.',
    ticked: 'Done: {task}',
    undone: 'Undone.',
  },
}
