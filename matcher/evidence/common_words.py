"""Ordinary words that employers are called by too. Data only, case folded.

At the head of a sentence such a word is written like a name and is none; "at Target" it is one.
"""

_WORDS = """
    ability access accord ace achse action active ada adler adobe advance affirm agile agua aktiv alba
    alliance alltag ally alma alpha altitude amber ambition anchor angle anker anna apex apple aqua arc
    arch arena arthur aspect aspire asset assist atem atlas aube aufbruch aurora avenir avenue axis azur
    balance bamboo bank bark base basis baum beacon beam bear ben bench benchmark berg best beyond bird
    bishop blatt blend blick block bloom blue board bold bolt bond boost boots bounce box branch brand
    bridge bright brilliant brisa brise broad brook brücke bubble buffer build bumble buzz cabin cable
    calm camino campo canvas capital carbon care career cargo carrot case catalyst cedar center central
    century chain challenge champion change charter chase check chime choice ciel cielo circle citizen
    city clair clara clarity claro clarté class clear clever click climate clock cloud clover coach
    coast code coeur coin collective comet comfort common compass complete concept concord connect
    constant contour control copper coral corazón core corner correct cosmos courage cover craft
    creative crest crew critical cross crown cruise crystal cube cumbre current curve cycle dash data
    dawn deal degree delivery delta depot design desk detail diamond digital direct discover discovery
    distance dock dollar domain door dream drift drive drop dynamic eagle early earth east easy echo
    eclipse edge effect eiche element elevate ember emerald emil emma energy engage ensemble enterprise
    entry envol epic equal equity espoir essence essential estrella ever evergreen evolve exact excel
    exchange expert express extra fable face factor factory fair faith falcon family faro fast feather
    feder felix fels feuer feuille field figure final first flag flame flare fleet flex flight flow
    fluss focus folio force forest form formula forward foundation fountain frame free fresh freude
    frida friday frontier fuente fusion future galaxy gap garden garten gate gem general generation
    genesis gentle giant gipfel glanz glass global glow glück go gold good grace grain grand granite
    graph gravity great green grid ground group grove grow growth grün guardian guide guild habit hafen
    hall halo hand harbor harbour harmony harvest haus haven hawk health heart heights heimat herald
    heritage hero herz high hill himmel hinge hoja home honest honey hope horizon house hub hugo human
    icon ida idea image imagine impact indeed index indigo infinite ink insel insight inspire instant
    integral iris iron island ivory jack jade james jardin jardín jasper jet journal journey joy julia
    julian jump junction just karl keen kern key kind kite knot kompass kraft kranich kreis kristall
    lake land lantern large laser launch layer leaf leap legacy legend lemon lena leo level liberty
    licht life lift light lighthouse lime linde line linear link lion lisa list lively local lodge logic
    loop lotte lotus loud louis luca lucero lucky lucy lumen lumière luna lunar lune luz lyric löwe
    magic magnet main major map maple mar marble march mark market mars marée master match matin matrix
    matter max maze mañana measure medal meridian merit mesh meta meteor method metro mia mile milestone
    milo mind mint mission mobile modern moment mond monday monde monument moon morgen morning mosaic
    motion mountain move mundo murmur nation national native nature navigator neat nest network new next
    night noble node nora nord norte north note notion nova now nube number oak oasis ocean odyssey
    oiseau ola olive oliver omega on one onward opal open optimal oracle orage orange orbit orchard
    origin oscar oskar otter otto outlook oxygen pace pacific palace palm panda paper parallel park
    partner paso path patriot pattern paul peak pearl people perfect perle phoenix pilot pine pinnacle
    pioneer pivot pixel plaid plain planet platform plenty plum point polar polaris portal post power
    premier present prime prism pro progress progressive promise proof prosper puente puerto pulse pure
    quelle quest quick quiet quiver racine radar radiant radical rain rainbow ramp range rapid raven
    raíz reach real red reef reflect regal regen relais relay reliable remedy resolve result revolution
    rhythm right ring rise rivage river rivière roble rock rocket root rose round route royal ruby ruhe
    rumbo ruth río sage sail salt sam sand sapphire saturday scale schritt scout sea season second seed
    segel select senda sense sentinel sequence serene shade shape sharp shell shift shine shore signal
    sillage silver simple sky slack slate slope smart snap sol solar soleil solid solstice sonic sonne
    sophie soul sound source south space spark spectrum sphere spiegel spirit spoke spot spring sprout
    square stable stack stage standard star start state station status steady steel stellar step stern
    stille stone store storm story strata stream street strength strike stripe strom strong studio sturm
    style summit sun sunday sunrise sunset support sure surge swift switch symphony synergy system table
    tag tandem target task teal team tempo tender terra terre theo theory thread three thrive thunder
    thursday tide tierra tiger timber time titan today together token tom tone top tor torch total touch
    tower trace track trade trail transit traum travel tree trend triangle tribe trident trigo trinity
    triumph true trust truth tuesday tune turm turn twin twist two ufer union unison unite united unity
    universal up upward urban vague valley value vantage vault vector velocity vent venture verse vertex
    vertical vibrant victor victory viento view viktor village violet virgin virtue visa vision vista
    vital vivid voice voile volt voyage vuelo wald wave way wednesday weg well welle welt wert west
    wheel white whole wide wild willow wind window wing wise wish wolke wonder wood word work world
    wurzel yellow yield zebra zeit zen zenith zero zest ziel zone zoom zukunft élan étoile
"""
COMMON_WORDS = frozenset(_WORDS.split())
