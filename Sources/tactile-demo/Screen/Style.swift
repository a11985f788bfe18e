/// The meaning of a part of the picture, with a color for terminals and for drawings.
package enum Style: Hashable, Sendable, CaseIterable {
    case plain
    /// A heading, or an action of the user.
    case bold
    /// Static content.
    case quiet
    /// The strength of a motor: `gentle` is up to a third, `firm` up to two thirds, `strong` above.
    case gentle
    case firm
    case strong
    /// A normal state.
    case good
    /// An error or a loss.
    case bad

    /// Returns the style for a motor strength in percent.
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

    /// The colors in a drawing: the text, and the background if there is one.
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
