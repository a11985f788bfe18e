/// What a piece of the picture means; a terminal and a drawing each have a colour for it.
package enum Style: Hashable, Sendable, CaseIterable {
    case plain
    /// A heading, or what was done by the person who looks.
    case bold
    /// What is there without being news.
    case quiet
    /// What a motor does: up to a third, two thirds, all of its strength.
    case gentle
    case firm
    case strong
    /// What is as it should be.
    case good
    /// A mistake, or a loss.
    case bad

    /// The style of a strength in percent.
    package init(strength: Int) {
        self =
            switch strength {
            case ...0: .quiet
            case ..<34: .gentle
            case ..<67: .firm
            default: .strong
            }
    }

    /// The parameters of Select Graphic Rendition (ECMA-48, 8.3.117); empty for none.
    var rendition: String {
        switch self {
        case .plain: ""
        case .bold: "1"
        case .quiet: "90"
        case .gentle: "1;30;43"
        case .firm: "1;30;48;5;208"
        case .strong: "1;37;41"
        case .good: "32"
        case .bad: "1;31"
        }
    }

    /// The colours of a drawing: the ink, and the ground where it has one.
    var colours: (ink: String, ground: String?) {
        switch self {
        case .plain: ("#d8dee9", nil)
        case .bold: ("#ffffff", nil)
        case .quiet: ("#7b8794", nil)
        case .gentle: ("#1f2933", "#f2c744")
        case .firm: ("#1f2933", "#f08c2e")
        case .strong: ("#ffffff", "#d64545")
        case .good: ("#7bc47f", nil)
        case .bad: ("#f29b9b", nil)
        }
    }
}
