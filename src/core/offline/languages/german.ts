import type { Language } from './language.js'

const show = '((zeige?|liste?|finde?|gib|nenne?)( mir)? )?'
const notes = '(alle )?(meine |die )?(notizen|seiten|dateien)'
const the = '((die|meine|unsere|der|den) )?((notiz|seite|datei) )?'
const howMany = 'wie viele (notizen|seiten|dateien)'
const tasks = '(offenen? |unerledigten? |ausstehenden? )?(aufgaben|todos|to-dos)'
const journal =
  '(meine[rn]? |die |der |das |zur |zum |ins )?((heutigen? )?(tagesnotiz|tagebuch)|(?<date>heutige|gestrige|morgige)[nr]? (tages)?notiz|notiz (von|für) (?<date2>heute|gestern|morgen))'
const aTask = '(eine |die )?(neue )?(aufgabe|todo|to-do):? '

export const german: Language = {
  code: 'de',
  words: `aber alle alles als am an auch auf aus bei bis das dass dem den der des die dies diese doch du ein eine einem einen einer
    er es für gibt habe haben hat ich ihr im in ist kann kein keine man mein meine meinen mich mir mit muss nach nicht noch oder
    sich sie sind soll über um und uns unsere viele vom von vor wann war warum was wegen welche welchen welcher welches wenn wer
    werden wie wieder wir wird wo wofür wohin woher womit wozu wurde zu zum zur`,
  noteWords: 'notiz notizen seite seiten dokument eintrag einträge aufzeichnungen vault',
  frame: `notiz notizen seite seiten dokument eintrag einträge steht stehen geschrieben schrieb notiert sage sagen gesagt erwähnt
    beschreibt erkläre erklären finde finden gefunden zeige zeigen suche suchen erinnere gelernt brauche will wissen weiß gibt geht
    funktioniert macht mache bitte heißt bedeutet sinnvoll möglich gut besten sache sachen art`,
  politeBefore:
    'bitte|(?:kannst|könntest|würdest) du(?: mir| mal)?(?: bitte)?|ich möchte|jetzt|dann|hallo notewright|notewright',
  politeAfter: 'bitte|danke(?: schön)?',
  thisNote: '(?:diese|die (?:offene|aktuelle)) (?:notiz|seite|datei)',
  command:
    '(?:benenne?|verschiebe?|lösche?|entferne?|sortiere?|archiviere?|ersetze?|verbinde?|kopiere?|importiere?|exportiere?|räume?) (?:alle|jede[nrs]?|beide) ',
  forms: {
    undo: [
      '(mach(e)? )?(das|es|alles|die (letzte )?änderung)( wieder)? rückgängig( machen)?',
      'rückgängig( machen)?',
      'nimm (das|die (letzte )?änderung) zurück',
    ],
    help: [
      '(hallo|hi|guten (morgen|tag|abend)|moin|servus)( notewright)?',
      'hilfe',
      '(hilf mir|wie funktionierst du|wie geht das|wer bist du)',
      'was (kannst|kann) (du|ich)( hier)?( alles)?( tun| machen)?',
    ],
    thanks: [
      '(vielen |danke )?(dank|danke)( schön| sehr| dir)?',
      '(super|prima|toll|perfekt|gut gemacht|tschüss|alles klar)',
    ],
    search: [
      '(suche?|such mal)( mir)?( in (meinen |den )?notizen)?( nach)?:? {query}',
      '(finde?)( mir)?( (alle |die |meine )?(notizen|seiten|alles) (über|zu|zum|zur|mit))? {query}',
      '(notizen|seiten) (über|zu|zum|zur) {query}',
    ],
    listTags: [
      `${show}(alle )?(meine |die )?(tags|schlagwörter)`,
      '(welche|was für) (tags|schlagwörter) (gibt es|habe ich|haben wir|verwende ich)',
    ],
    randomNote: [
      `${show}(mir )?(eine )?zufällige notiz( mit (dem )?tag {tags})?`,
      `${show}(eine )?zufällige notiz (aus|in) (dem |ordner |dem ordner )?{folder}`,
    ],
    taggedNotes: [
      `${show}${notes} (mit|unter) (dem |den )?(tags?|schlagw(o|ö)rt(ern)?) {tags}`,
      `${show}${notes} (mit )?(?=#){tags}`,
      '(welche|was für) (notizen|seiten) (haben|tragen) (den |das )?(tag|schlagwort) {tags}',
    ],
    notesInFolder: [
      `${show}${notes} (im|aus dem|in dem|vom) (ordner|verzeichnis) {folder}`,
      `(zeige?|liste?)( mir)? ${notes} (in|im|aus) {folder}`,
      '(welche|was für) (notizen|seiten) (sind|gibt es|habe ich|liegen) (im ordner|in|im) {folder}',
      'was (ist|liegt|steht) im ordner {folder}',
    ],
    countTagged: [
      `${howMany} (haben|tragen|mit|habe ich mit|gibt es mit) (dem |den |das )?(tag |schlagwort )?(?=#){tags}`,
      `${howMany} (haben|tragen|gibt es mit|habe ich mit) (dem |den |das )?(tag|schlagwort) {tags}`,
    ],
    countAll: [
      `${howMany} (habe ich|haben wir|gibt es|sind es)( insgesamt| hier| im vault)?`,
      '(anzahl|zahl) (der|meiner) notizen',
    ],
    countInFolder: [`${howMany} (sind|gibt es|habe ich|liegen|stehen) (im ordner|in|im) {folder}`],
    countAbout: [`${howMany} (gibt es |habe ich |haben wir )?(über|zu|zum|zur|erwähnen|enthalten|handeln von) {topic}`],
    backlinks: [
      `(was|wer|welche (notizen|seiten)) (verlinkt|verlinken|verweist|verweisen|zeigt|zeigen) (alles )?auf ${the}{note}`,
      `${show}(die |alle )?(backlinks|rückverweise|eingehenden links) (von|zu|auf|für) ${the}{note}`,
    ],
    forwardLinks: [
      `(worauf|wohin) (verlinkt|verweist|zeigt) ${the}{note}`,
      `${show}(die |alle )?((ausgehenden) )?links (von|in|aus) ${the}{note}`,
    ],
    tasksDue: [
      `${show}(alle |meine |die )?${tasks}( die)? (für|bis|fällig)( bis)? {time}`,
      `(was|welche (aufgaben|todos)) (ist|sind|wird|werden) (bis )?{time} fällig`,
      '(was|welche (aufgaben|todos)) (muss|habe|steht|stehen) ((ich|bei mir) )?{time} (an|tun|erledigen|zu tun|zu erledigen)',
      '(was|welche (aufgaben|todos)) (ist|sind) (?<time>überfällig)',
      `${show}(alle |meine |die )?(?<time2>überfälligen?) (aufgaben|todos)`,
    ],
    tasks: [
      `${show}(alle |meine |die )?${tasks} (in|aus|von) (der notiz |notiz )?{note}`,
      `${show}(alle |meine |die )?${tasks}( auf)?`,
      '(was|welche aufgaben) (ist|sind|habe ich|gibt es) (noch )?(offen|zu tun|unerledigt)',
      'was (muss ich|habe ich)( noch)? (zu )?(tun|erledigen)',
      'welche (offenen )?(aufgaben|todos) (habe ich|gibt es|haben wir)( noch)?',
      'wie viele (offene )?(aufgaben|todos) (habe ich|gibt es|sind (noch )?offen)( noch)?',
    ],
    tickTask: [
      '(hake?|haken) (die )?(aufgabe |todo )?{task} ab',
      '(markiere?) (die )?(aufgabe |todo )?{task} als (erledigt|fertig|abgeschlossen)',
      '(die )?aufgabe {task} (ist )?(erledigt|fertig)',
      '(erledige?) (die )?aufgabe {task}',
    ],
    readNote: [`(öffne?|lies mir|lies) (die |meine )?(notiz|seite|datei) {note}( vor)?`, '(öffne?) {note}'],
    showNote: [
      '(zeige?|lies)( mir)? (?=die notiz |notiz |\\[\\[|["„“«])((die |meine )?(notiz|seite|datei) )?{note}( vor| an)?',
    ],
    recentNotes: [
      `${show}(alle )?(meine |die )?(neuesten|neusten|letzten|zuletzt (geänderten|bearbeiteten|geschriebenen)|aktuellen) notizen`,
      'was (hat sich|ist|wurde) (zuletzt |kürzlich |neulich )?(geändert|neu)',
    ],
    notesOfTime: [
      'was habe? (ich|wir) {time} (geschrieben|notiert|aufgeschrieben|gemacht|bearbeitet|geändert)',
      'was habe? (ich|wir) {time} (über|zu|zum) {topic} (geschrieben|notiert|aufgeschrieben)',
      `${show}${notes} (von|vom|aus|der|seit) {time} (über|zu|zum|zur) {topic}`,
      `${show}${notes} (von|vom|aus|der|seit) {time}`,
      'was (hat sich|wurde) {time} (geändert|geschrieben)',
    ],
    compose: [
      '(erstelle?|schreibe?|verfasse?|entwirf)( mir)? (eine[nrs]? )?(neue[nrs]? |kurze[nrs]? )?(notiz|seite|zusammenfassung|aufsatz|artikel|text|entwurf) (über|zu|zum|zur|von) {topic}',
      '(übersetze?|formuliere?|verbessere?|korrigiere?|kürze?) {topic}',
    ],
    createNote: [
      '(erstelle?|lege?|schreibe?|mache?)( mir)? (eine )?(neue )?(notiz|seite) (namens |mit (dem )?(namen|titel) )?{note} im ordner {folder}( an)? mit( dem)?( (text|inhalt))?:? {content}',
      '(erstelle?|lege?|schreibe?|mache?)( mir)? (eine )?(neue )?(notiz|seite) (namens |mit (dem )?(namen|titel) )?{note} im ordner {folder}( an)?',
      '(erstelle?|lege?|schreibe?|mache?)( mir)? (eine )?(neue )?(notiz|seite) (namens |mit (dem )?(namen|titel) )?{note}( an)? mit (dem )?(text|inhalt):? {content}',
      '(erstelle?|lege?|schreibe?|mache?)( mir)? (eine )?(neue )?(notiz|seite) (namens |mit (dem )?(namen|titel) )?{note}( an)? mit {content}',
      '(erstelle?|lege?|mache?)( mir)? (eine )?(neue )?(notiz|seite) (namens |mit (dem )?(namen|titel) )?{note} an',
      '(erstelle?|mache?)( mir)? (eine )?(neue )?(notiz|seite) (namens |mit (dem )?(namen|titel) )?{note}',
      'neue notiz:? {note}',
    ],
    addToDaily: [
      `(füge?|schreibe?|notiere?|trage?) ${aTask}{task} (zu|zur|in|ins|auf) ${journal}( hinzu| ein)?`,
      `(füge?|schreibe?|notiere?|trage?) {content} (zu|zur|in|ins|auf) ${journal}( hinzu| ein)?`,
    ],
    addToNote: [
      `füge? ${aTask}{task} (zu|zur|in|an) ${the}{note} (hinzu|an|ein)`,
      `(füge?|hänge?|schreibe?) {content} (zu|zur|in|an|ans ende von) ${the}{note} unter (der überschrift |dem abschnitt )?{heading} (hinzu|an|ein)`,
      `(füge?|hänge?|schreibe?) {content} (zu|zur|in|an|ans ende von) ${the}{note} (hinzu|an|ein)`,
      `ergänze? {content} in ${the}{note}`,
    ],
    renameNote: [
      `benenne? ${the}{note} (in|zu|nach) {target} um`,
      `(umbenennen|nenne?) ${the}{note} (in|zu|nach|um in) {target}( um)?`,
      `${the}{note} (in|zu|nach) {target} umbenennen`,
    ],
    moveNote: [
      `verschiebe? ${the}{note} in den ordner {folder}`,
      `verschiebe? ${the}{note} (nach|in|zu) {target}`,
      `${the}{note} (in den ordner|nach) {folder} verschieben`,
    ],
    deletePart: ['(lösche?|entferne?) {note} (aus|von|in) {place}'],
    deleteNote: [
      `lösche? ${the}{note}`,
      '(entferne?) (?=(die |meine )?(notiz|seite|datei) )((die |meine )?(notiz|seite|datei) )?{note}',
      '(die |meine )?(notiz|seite) {note} löschen',
    ],
    tagNote: [
      `(tagge?|verschlagworte?) ${the}{note} (mit|als) (dem tag |den tags )?{tags}`,
      `(füge?|gib|setze?) ${the}{note} (den |das |die )?(tags?|schlagwort) {tags}( hinzu)?`,
      `(füge?) (den |das |die )?(tags?|schlagwort) {tags} (zu|zur) ${the}{note} hinzu`,
    ],
    untagNote: [
      `(entferne?|lösche?) (den |das |die )?(tags?|schlagwort) {tags} (von|aus|bei) ${the}{note}`,
      `(entferne?|lösche?) (?=#){tags} (von|aus|bei) ${the}{note}`,
    ],
    setProperty: [
      `(setze?|ändere?) (die eigenschaft |den |die |das )?{property} (von|in|bei) ${the}{note} auf {value}`,
      `(entferne?|lösche?) (die )?eigenschaft {property} (von|aus|in) ${the}{note}`,
    ],
  },
  times: [
    ['heute|heutigen?|heutige[rn]', 'today'],
    ['gestern|gestrigen?', 'yesterday'],
    ['vorgestern', 'the day before yesterday'],
    ['morgen|morgigen?', 'tomorrow'],
    ['überfällig(?:en?)?', 'overdue'],
    ['(?:in )?(?:der )?(?:letzten?|vorigen?|vergangenen?) woche', 'last week'],
    ['(?:in )?dieser? woche', 'this week'],
    ['(?:in )?(?:der )?(?:nächsten?|kommenden?) woche', 'next week'],
    ['(?:im )?(?:letzten|vorigen|vergangenen) monat', 'last month'],
    ['(?:in )?diese[nmr]s? monat', 'this month'],
    ['(?:im )?(?:nächsten|kommenden) monat', 'next month'],
    ['(?:im )?(?:letzten|vorigen|vergangenen) jahre?s?', 'last year'],
    ['(?:in )?diese[ms] jahre?', 'this year'],
    ['(?:in )?(?:den )?letzten (\\d{1,3}) tagen?', 'last $1 days'],
    ['(?:in )?(?:den )?letzten (\\d{1,3}) wochen', 'last $1 weeks'],
    ['(?:in )?(?:den )?letzten (\\d{1,3}) monaten?', 'last $1 months'],
    ['vor (\\d{1,3}) tagen', '$1 days ago'],
  ],
  months: 'januar februar märz april mai juni juli august september oktober november dezember',
  examples: [
    'öffne [[{note}]]',
    'was verlinkt auf {note}',
    'Notizen mit #{tag}',
    'wie viele Notizen sind in {folder}',
    'offene Aufgaben',
    'was habe ich letzte Woche geschrieben',
    'schreibe … in die Tagesnotiz',
    'benenne {note} in … um',
    'tagge {note} mit …',
  ],
  say: {
    noModel: 'Es ist kein Sprachmodell eingerichtet',
    quotesInstead: '{noModel}. Deshalb zitiere ich deine Notizen, statt mit eigenen Worten zu antworten. {setUp}',
    setUpModel: 'Einrichten: {place}.',
    foundModels: 'Auf diesem Computer gefunden: {models}. Verwende eines mit {use}.',
    andMore: 'und {n} weitere',
    chatOnly:
      '{noModel}. Ohne eines kann ich deine Notizen durchsuchen und zitieren und einfache Aufträge ausführen, aber dieser Chat hat keine Werkzeuge. {setUp}',
    help: '{noModel}. Ich durchsuche und zitiere deine Notizen und führe einfache Aufträge aus. Stelle eine Frage, oder zum Beispiel:',
    helpEnd:
      'Vor jeder Änderung frage ich, und mit {undo} machst du sie rückgängig. Ein Sprachmodell kann mehr. {setUp}',
    notUnderstood: 'Diesen Auftrag verstehe ich ohne Sprachmodell nicht. Das hier geht zum Beispiel:',
    needsModel:
      'Um neuen Text zu schreiben, braucht es ein Sprachmodell, und es ist keines eingerichtet. {setUp} Deine eigenen Worte kann ich speichern: `erstelle eine Notiz "Name" mit …`.',
    promptNeedsModel: 'Der Prompt /{name} enthält Anweisungen, für die es ein Sprachmodell braucht. {setUp}',
    worksWithout: 'Ohne eines kann ich deine Notizen nach einer Frage durchsuchen oder diese Aufträge ausführen:',
    welcome: 'Gern geschehen.',
    fromNotes: 'Aus deinen Notizen:',
    nothingAbout: 'In deinen Notizen habe ich nichts zu {topic} gefunden.',
    nothingAboutBut: 'Zu {topic} habe ich in deinen Notizen nichts gefunden. Diese Stellen erwähnen {covered}:',
    mayNotAnswer: 'Diese Stellen erwähnen deine Wörter, beantworten die Frage aber vielleicht nicht:',
    tryOtherWords: 'Versuche es mit weniger oder anderen Wörtern.',
    propertyLabel: 'Eigenschaft',
    or: '{a} oder {b}',
    undoHint: 'Rückgängig machen: {undo}.',
    nothingToUndo:
      'In diesem Chat habe ich nichts geändert. Frühere Änderungen machst du mit {undo} rückgängig; {history} zeigt alle.',
    notDone: 'Nicht ausgeführt.',
    deniedByUser: 'Du hast es abgelehnt.',
    noSuchNote: 'Es gibt keine Notiz {note}.',
    didYouMean: 'Meintest du eine von diesen?',
    whichNote: 'Ich weiß nicht, welche Notiz du meinst. Nenne sie, zum Beispiel: `{example}`.',
    oneAtATime:
      'Das sind wohl mehrere Aufträge. Ohne Sprachmodell kann ich nur einen auf einmal ausführen. Schicke sie einzeln.',
    quoteNames: 'Ich kann die Namen in {text} nicht unterscheiden. Setze sie in Anführungszeichen: `{example}`.',
    needsAgentMode:
      'Nicht ausgeführt: Das braucht zwei Schritte, und dieser Modus erlaubt nur einen. Stelle die Frage im Agent-Modus ({mode}).',
    needsTool: 'Nicht ausgeführt: Dafür braucht es das Werkzeug `{tool}`, das ausgeschaltet ist. Einschalten: {place}.',
    noToolsInMode:
      'Nicht ausgeführt: Dieser Modus kann das nötige Werkzeug nicht aufrufen. Stelle die Frage im Agent-Modus ({mode}).',
    onlyWholeNotes:
      'Ich kann nur ganze Notizen löschen. Wenn das der Name einer Notiz ist, setze ihn in Anführungszeichen: `{example}`.',
    tagIsOneWord: 'Ein Tag ist ein einzelnes Wort ohne Leer- und Satzzeichen. Meintest du `#{tag}`?',
    alreadyExists:
      'Nicht ausgeführt: {path} gibt es schon. Ergänze sie mit `{example}`, oder wähle einen anderen Namen.',
    tags: 'Tags und wie viele Notizen sie haben:',
    tagged: 'Notizen mit {tags}:',
    noneTagged: 'Keine Notiz hat {tags}.',
    inFolder: 'Notizen in {folder}:',
    firstInFolder: 'Die ersten {n} Notizen in {folder}:',
    noneInFolder: 'In einem Ordner {folder} gibt es keine Notizen.',
    countAll: ['Es gibt keine Notizen.', 'Es gibt eine Notiz.', 'Es gibt {n} Notizen.'],
    countInFolder: [
      'In {folder} gibt es keine Notizen.',
      'In {folder} gibt es eine Notiz.',
      'In {folder} gibt es {n} Notizen.',
    ],
    countTagged: ['Keine Notiz hat {tags}.', 'Eine Notiz hat {tags}.', '{n} Notizen haben {tags}.'],
    countAbout: ['Keine Notiz erwähnt {topic}.', 'Eine Notiz erwähnt {topic}:', '{n} Notizen erwähnen {topic}:'],
    atLeast: 'mindestens {n}',
    backlinks: [
      'Keine andere Notiz verlinkt auf {note}.',
      'Eine Notiz verlinkt auf {note}:',
      '{n} Notizen verlinken auf {note}:',
    ],
    times: ['', '', '({n} Links)'],
    links: 'Links in {note}:',
    noLinks: '{note} enthält keine Links.',
    brokenLink: '(keine solche Notiz)',
    notesOf: 'Notizen, {when}:',
    noNotesOf: 'Es gibt keine Notizen, {when}.',
    quotesOf: 'Aus den Notizen, {when}:',
    notMentionedIn: 'Die Notizen ({when}) erwähnen {topic} nicht.',
    tasks: ['Es gibt keine offenen Aufgaben.', 'Eine offene Aufgabe:', '{n} offene Aufgaben:'],
    tasksDue: [
      'Keine Aufgabe ist fällig ({when}).',
      'Eine Aufgabe ist fällig ({when}):',
      '{n} Aufgaben sind fällig ({when}):',
    ],
    tasksIn: [
      'In {note} gibt es keine offenen Aufgaben.',
      'Eine offene Aufgabe in {note}:',
      '{n} offene Aufgaben in {note}:',
    ],
    moreTasks: '… und {n} weitere',
    due: 'fällig {date}',
    whichTask: 'Mehrere offene Aufgaben passen. Nenne mehr Wörter:',
    noSuchTask: 'Keine offene Aufgabe erwähnt {task}.',
    created: '{note} ist angelegt.',
    added: 'In {note} ergänzt.',
    renamed: 'Umbenannt in {note}.',
    deleted: '{note} ist im Papierkorb.',
    changed: '{note} ist geändert.',
    ticked: 'Erledigt: {task}',
    undone: 'Rückgängig gemacht.',
  },
}
